// npm run bench: each row of the table measured against its floor in the same run.  --json  --only <row>, several times
import { parseArgs } from 'node:util';
import { startBench } from './bench.ts';
import { bare, judged, printed, type Row } from './row.ts';
import { saveToEvent } from './rows/save-to-event.ts';

const ROWS: Row[] = [saveToEvent];

const { values } = parseArgs({
  options: { json: { type: 'boolean', default: false }, only: { type: 'string', multiple: true } },
});
const wanted = ROWS.filter(({ row }) => values.only?.includes(String(row)) ?? true);
if (wanted.length === 0) {
  process.stderr.write(`No such row; there are ${ROWS.map(({ row }) => row).join(', ')}\n`);
  process.exit(1);
}

const verdicts = [];
for (const row of wanted) {
  const bench = await startBench();
  try {
    const verdict = judged(row, await row.measure(bench));
    verdicts.push(verdict);
    if (!values.json) process.stdout.write(`${printed(verdict)}\n`);
  } finally {
    await bench.stop();
  }
}
if (values.json) process.stdout.write(`${JSON.stringify(verdicts.map(bare), null, 2)}\n`);
