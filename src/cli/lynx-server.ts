// The server as the timing computer sees it: asked with a token that is renewed when it ends, and away now and then.
import { OperatorError } from '../errors.ts';
import { baseOf, patiently, reasonOf } from '../remote-server.ts';

export type Account = { email: string; password: string };

export type Ask = (path: string, init?: RequestInit) => Promise<Response>;

/** @returns asks with a token; throws Away, and OperatorError when the account may not sign in */
export function createAsk(server: string, account: Account): Ask {
  const base = baseOf(server);
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
