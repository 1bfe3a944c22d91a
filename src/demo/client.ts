// A client of the API like any other: signs in with a form, sends JSON, and signs in again when its token has expired.

export type Client = (method: string, path: string, body?: object) => Promise<unknown>;

/** What the service refused; `status` is its code. */
export class Refused extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const PATIENCE_MS = 10_000;

/** Sends requests below `origin` as this account; an answer other than 2xx is thrown as Refused. */
export function createClient(origin: string, account: { email: string; password: string }): Client {
  let token: string | undefined;
  const send: Client = async (method, path, body) => {
    token ??= await signIn(origin, account);
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    return request(`${origin}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  };
  return async (method, path, body) => {
    try {
      return await send(method, path, body);
    } catch (error) {
      // Tokens last a day; the demo may run longer.
      if (!(error instanceof Refused && error.status === 401)) throw error;
      token = undefined;
      return send(method, path, body);
    }
  };
}

async function signIn(origin: string, { email, password }: { email: string; password: string }) {
  const form = new URLSearchParams({ username: email, password });
  const answer = await request(`${origin}/api/v1/auth/token`, { method: 'POST', body: form });
  return (answer as { access_token: string }).access_token;
}

async function request(url: string, init: RequestInit): Promise<unknown> {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(PATIENCE_MS) });
  const text = await response.text();
  if (response.ok) return text ? JSON.parse(text) : null;
  const { pathname } = new URL(url);
  throw new Refused(response.status, `${init.method} ${pathname}: ${response.status} ${text.slice(0, 200)}`);
}
