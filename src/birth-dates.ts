// Dates and years of birth stay out of everything public, wherever a client put them: in a result, a team, an object in either. Pure.

export const BIRTH_DATE_NAMES: ReadonlySet<string> = new Set([
  'date_of_birth',
  'dateOfBirth',
  'dob',
  'birth_date',
  'year_of_birth',
  'yearOfBirth',
  'yob',
  'birth_year',
  'birthYear',
]);
const MENTION = new RegExp(`"(?:${[...BIRTH_DATE_NAMES].join('|')})":`);

/** The JSON text without the members of these names. Made for texts of JSON.stringify: other spellings of a name pass. */
export function withoutBirthDates(json: string): string {
  if (!MENTION.test(json)) return json;
  return JSON.stringify(
    JSON.parse(json, (name, value: unknown) => (BIRTH_DATE_NAMES.has(name) ? undefined : value)),
  );
}
