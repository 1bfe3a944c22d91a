// Payloads, unique and valid by default.

let number = 0;
const next = () => ++number;

export function competition(overrides: Record<string, unknown> = {}) {
  const n = next();
  return {
    full_name: `Test Meeting ${n}`,
    country_id: 'GBR',
    date: '2026-06-13',
    slug: `test-meeting-${n}`,
    ...overrides,
  };
}

export function competitor(overrides: Record<string, unknown> = {}) {
  const n = next();
  return {
    competitor_id: String(n),
    first_name: `First${n}`,
    last_name: `Last${n}`,
    gender: 'F',
    ...overrides,
  };
}

export function event(overrides: Record<string, unknown> = {}) {
  const n = next();
  return {
    event_id: `E${n}`,
    event_code: '100',
    name: `100 m ${n}`,
    genders: 'F',
    rounds: '1',
    ...overrides,
  };
}

export function unit(overrides: Record<string, unknown> = {}) {
  return { round: 1, heat: 1, ...overrides };
}
