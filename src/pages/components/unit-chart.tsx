// The chart of a unit: an image with a title, a line and a number for each athlete. The table beside it says the same.
import type { Words } from '../locales/en.ts';
import type { Chart, ChartKind } from '../unit/charts.ts';
import { type Unit, unitName } from '../unit/unit.ts';

const TITLES = { height: 'heightChart', series: 'seriesChart', gaps: 'gapsChart' } as const satisfies Record<
  ChartKind,
  keyof Words
>;

type Props = { unit: Unit; chart: Chart; words: Words };

export function UnitChart({ unit, chart, words }: Props) {
  const title = words[TITLES[chart.kind]];
  const id = `chart-${unitName(unit).replace(/[^A-Za-z0-9-]/g, '_')}`;
  return (
    <figure class="chart" data-chart={chart.kind}>
      <figcaption>{title}</figcaption>
      <div class="scroll" role="region" aria-label={title} tabindex={0}>
        <svg
          role="img"
          aria-labelledby={`${id}-title ${id}-desc`}
          viewBox={`0 0 ${chart.width} ${chart.height}`}
        >
          <title id={`${id}-title`}>{title}</title>
          <desc id={`${id}-desc`}>
            {chart.lines.map(({ name }) => name).join(', ')}. {words.chartTable}
          </desc>
          <Axes chart={chart} />
          {chart.lines.map((line, index) => (
            <Line key={index} line={line} index={index} />
          ))}
        </svg>
      </div>
      <ol class="chart-names">
        {chart.lines.map(({ name }, index) => (
          <li key={index} class={`series-${index}`}>
            {name}
          </li>
        ))}
      </ol>
    </figure>
  );
}

const Axes = ({ chart: { width, height, xTicks, yTicks } }: { chart: Chart }) => (
  <g aria-hidden="true">
    {yTicks.map(({ at, text }) => (
      <g key={at}>
        <line class="axis" x1={46} x2={width} y1={at} y2={at} />
        <text x={40} y={at + 4} text-anchor="end">
          {text}
        </text>
      </g>
    ))}
    {xTicks.map(({ at, text }) => (
      <text key={at} x={at} y={height - 8} text-anchor="middle">
        {text}
      </text>
    ))}
  </g>
);

type LineProps = { line: Chart['lines'][number]; index: number };

function Line({ line: { path, points }, index }: LineProps) {
  const last = points.filter((point) => !point.failed).slice(-1)[0]!;
  return (
    <g class={`series-${index}`}>
      <polyline points={path} />
      {points.map(({ x, y, failed }, at) => (
        <circle key={at} class={failed ? 'mark failed' : 'mark'} cx={x} cy={y} r={3.5} />
      ))}
      <text class="number" x={last.x + 8} y={last.y + 4}>
        {index + 1}
      </text>
    </g>
  );
}
