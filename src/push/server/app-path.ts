// The addresses of the push protocol: /app/<key> for clients.

/** The key and query of a path that a push client connects to; undefined for any other path. */
export function appPath(url: string): { key: string; query: URLSearchParams } | undefined {
  const [path, query] = splitOnce(url, '?');
  const match = /^\/app\/([^/]+)\/?$/.exec(path.replaceAll(/\/{2,}/g, '/'));
  return match?.[1] === undefined ? undefined : { key: match[1], query: new URLSearchParams(query) };
}

/** Before and after the first separator. */
export function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + separator.length)];
}
