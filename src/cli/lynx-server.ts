// The server as the timing computer sees it: asked with a token that is renewed when it ends, and away now and then.
import { OperatorError } from '../errors.ts';

export type Account = { email: string; password: string };

/** The server cannot be reached, or asks for patience: what was asked for may be asked again. */
export class Away extends Error {}

export type Ask = (path: string, init?: RequestInit) => Promise<Response>;

const TIMEOUT_MS = 15_000;
const FOR_LATER = new Set([408, 429, 500, 502, 503, 504]);

/** @returns asks with a token; throws Away, and OperatorError when the account may not sign in */
export function createAsk(server: string, account: Account): Ask {
  const base = server.replace(/\/+$/, '');
  let token: string | undefined;
  const ask = async (path: string, init: RequestInit): Promise<Response> => {
    token ??= await signIn(base, account);
    const headers = new Headers(init.headers);
    headers.set('authorization', `Bearer ${token}`);
    return patiently(`${base}${path}`, { ...init, headers });
  };
  return async (path, init = {}) => {
    const answer = await ask(path, init);
    if (answer.status !== 401) return answer;
    await answer.body?.cancel();
    token = undefined;
    return ask(path, init);
  };
}

async function signIn(base: string, { email, password }: Account): Promise<string> {
  const body = new URLSearchParams({ username: email, password });
  const answer = await patiently(`${base}/api/v1/auth/token`, { method: 'POST', body });
  if (!answer.ok) throw new OperatorError(`${email} cannot sign in at ${base}: ${await reasonOf(answer)}`);
  const { access_token: token } = (await answer.json()) as { access_token: string };
  return token;
}

async function patiently(url: string, init: RequestInit): Promise<Response> {
  let answer: Response;
  try {
    answer = await fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch (error) {
    const { cause = error } = error as Error;
    throw new Away(cause instanceof Error ? cause.message : String(cause), { cause: error });
  }
  if (!FOR_LATER.has(answer.status)) return answer;
  throw new Away(`${answer.status}, ${await reasonOf(answer)}`);
}

/** What a refusal says, in one line. */
export async function reasonOf(answer: Response): Promise<string> {
  const text = await answer.text();
  try {
    const { detail } = JSON.parse(text) as { detail: string | { msg: string }[] };
    return typeof detail === 'string' ? detail : detail.map(({ msg }) => msg).join('; ');
  } catch {
    return `status ${answer.status}`;
  }
}
