// Shapes of what the endpoints for photo-finish programs read and answer.
import { z } from 'zod';
import { FILE_ENCODINGS } from '../exchange/text-encoding.ts';
import { blankAsAbsent } from '../http/schemas.ts';
import { UnitRecord } from '../units/answer-schemas.ts';
import { UNIT_EXAMPLE } from '../units/examples.ts';

export const FileQuery = z.object({
  encoding: z
    .preprocess(blankAsAbsent, z.enum(FILE_ENCODINGS).default('utf8'))
    .describe('The code set that the program is set to; utf16le begins with a byte order mark'),
});

const flag = z.preprocess(blankAsAbsent, z.stringbool().default(false)).meta({ type: 'boolean' });

export const ResultsQuery = z.object({
  dry_run: flag.describe('Store nothing, and answer what would be'),
  force: flag.describe('Also where the results are official already'),
});

// Its bytes are judged where they are read.
export const LifFile = z.unknown().meta({
  type: 'string',
  description: 'A .lif file: event, round, heat in its first line, then a row for each starter',
  example: '1,1,1,100 m Women Final,+1.2,m/s\r\n1,101,4,Okafor,Maren,Harbour Town AC,11.815\r\n',
});

export const ImportedResults = z
  .object({
    unit: UnitRecord,
    matched: z.int().describe('Rows whose starter was found'),
    unmatched: z
      .array(z.object({ line: z.int(), reason: z.string() }))
      .describe('Rows that match nobody: stored under their bibs and names'),
    changed: z.boolean().describe('Whether the file told anything new'),
  })
  .meta({
    id: 'ImportedResults',
    example: {
      unit: UNIT_EXAMPLE,
      matched: 7,
      unmatched: [{ line: 9, reason: 'No competitor has the bib 999' }],
      changed: true,
    },
  });
