// A QR code as SVG, drawn on the server: dark on light in every theme, as cameras read it.
import { encode } from 'uqr';

type Props = { text: string; label: string };

// Modules around it that stay light.
const BORDER = 4;

export function QrCode({ text, label }: Props) {
  const { data, size } = encode(text, { border: BORDER });
  return (
    <svg
      class="qr"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shape-rendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={data.map(rowPath).join('')} fill="#000" />
    </svg>
  );
}

/** The dark modules of a row, each run of them as one rectangle. */
function rowPath(row: boolean[], y: number): string {
  let path = '';
  for (let x = 0; x < row.length; x++) {
    if (!row[x]) continue;
    const start = x;
    while (row[x + 1]) x++;
    path += `M${start} ${y}h${x + 1 - start}v1H${start}z`;
  }
  return path;
}
