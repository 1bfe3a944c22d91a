// npm run bench: each row of the table measured against its floor in the same run.  --json  --only <row>, several times
import { parseArgs } from 'node:util';
import { buildPrograms } from '../helpers/build-programs.ts';
import { startBench } from './bench.ts';
import { QUICK, THOROUGH, buildProgram } from './effort.ts';
import { bare, type Judged, judged, table } from './row.ts';
import { ROWS } from './rows.ts';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true },
    /** To see that the benchmark works: small and short; its figures mean nothing. */
    quick: { type: 'boolean', default: false },
    /** What is measured is built already, as it is for tests. */
    built: { type: 'boolean', default: false },
  },
});
const only = values.only?.flatMap((numbers) => numbers.split(','));
const known = ROWS.map(({ row }) => String(row));
const unknown = only?.find((number) => !known.includes(number));
if (unknown !== undefined) {
  process.stderr.write(`There is no row ${unknown}; there are ${known.join(', ')}\n`);
  process.exit(1);
}

if (!values.built) await (values.quick ? buildPrograms() : buildProgram());
const run = await startBench(values.quick ? QUICK : THOROUGH);
const verdicts: Judged[] = [];
try {
  for (const row of ROWS) {
    if (only && !only.includes(String(row.row))) continue;
    const startMs = performance.now();
    process.stderr.write(`${row.row}. ${row.name} `);
    const verdict = judged(row, await run.measure((bench) => row.measure(bench)));
    verdicts.push(verdict);
    const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
    process.stderr.write(`: ${verdict.ratio ?? verdict.notes[0]} (${seconds} s)\n`);
  }
} finally {
  await run.stop();
}
process.stdout.write(values.json ? `${JSON.stringify(verdicts.map(bare), null, 2)}\n` : table(verdicts));
