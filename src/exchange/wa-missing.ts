// The list of what the World Athletics result import asks for and a competition does not have: a hundred told, all counted. Pure.
import { createTold } from '../http/problems.ts';
import type { WaReport } from './wa-model.ts';

export type Path = (string | number)[];

/** Where in the file something is not, and why. */
export type Missing = { path: Path; field: string; reason: string };

export type MissingParts = {
  note: (missing: Missing) => void;
  told: () => Pick<WaReport, 'complete' | 'missing_by_field' | 'missing'>;
};

// Optional in the proposal.
const OPTIONAL = new Set(['waId', 'legs', 'detail', 'result']);

export function createMissing(): MissingParts {
  const told = createTold<Missing>((reason) => ({ path: [], field: '', reason }));
  const byField = new Map<string, number>();
  return {
    note(missing) {
      told.add(() => missing);
      byField.set(missing.field, (byField.get(missing.field) ?? 0) + 1);
    },
    told: () => ({
      complete: [...byField.keys()].every((field) => OPTIONAL.has(field)),
      missing_by_field: Object.fromEntries(byField),
      missing: told.told(),
    }),
  };
}
