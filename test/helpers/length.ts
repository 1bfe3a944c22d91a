// The length of tests that wait or repeat: short in every run, in full with FULL_LENGTH=true.

export const byLength = <Value>(short: Value, full: Value): Value =>
  process.env['FULL_LENGTH'] === 'true' ? full : short;
