// The description of the API in its OpenAPI document: introduction, groups of routes, spelling of paths. Pure.

const DESCRIPTION = `Athletics competitions: calendar entries, full uploads and results.
Get a token from \`/api/v1/auth/token\` and send it as \`Authorization: Bearer TOKEN\`.
Every refusal is JSON with a detail: a text, or for validation a list of faults, each with its path.
Paths work with and without a trailing slash, and stand here as they were published; a JSON body without a Content-Type is read as JSON.`;

export const API_INFO = {
  title: 'Athletics data service',
  version: '1',
  description: DESCRIPTION,
  license: { name: 'MIT', identifier: 'MIT' },
};

export const API_TAGS = [
  { name: 'auth', description: 'Tokens' },
  { name: 'competitions', description: 'Calendar entries and uploads' },
  { name: 'extensions', description: 'Beyond the published interface' },
  { name: 'webhooks', description: 'Calls to receivers of yours, when something changed' },
  { name: 'data site', description: 'Public JSON and files, no token needed' },
  { name: 'calendar files', description: 'Written every night, no token needed' },
  { name: 'service', description: 'Liveness' },
];

// Both spellings work; the document shows the one that the interface was published with.
export const publishedPath = (url: string): string =>
  /^\/api\/v1\/(ping|competitions)$|\/json$/.test(url) ? `${url}/` : url;
