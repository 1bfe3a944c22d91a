// A service on another machine as programs on this one ask it: patiently, since it may be away now and then.

/** The server cannot be reached, or asks for patience: what was asked for may be asked again. */
export class Away extends Error {}

const TIMEOUT_MS = 15_000;
const FOR_LATER = new Set([408, 429, 500, 502, 503, 504]);

/** Asks a server. @throws Away */
export async function patiently(
  url: string,
  init: RequestInit,
  signal = AbortSignal.timeout(TIMEOUT_MS),
): Promise<Response> {
  let answer: Response;
  try {
    answer = await fetch(url, { ...init, signal });
  } catch (error) {
    const { cause = error } = error as Error;
    throw new Away(cause instanceof Error ? cause.message : String(cause), { cause: error });
  }
  if (!FOR_LATER.has(answer.status)) return answer;
  throw new Away(`${answer.status}, ${await reasonOf(answer)}`);
}

/** What a refusal says, in one line. */
export async function reasonOf(answer: Response): Promise<string> {
  const text = new TextDecoder().decode(await received(answer));
  try {
    const { detail } = JSON.parse(text) as { detail: string | { msg: string }[] };
    return printable(typeof detail === 'string' ? detail : detail.map(({ msg }) => msg).join('; '));
  } catch {
    return `status ${answer.status}`;
  }
}

/** What another host says, on one line of somebody's terminal. */
export const printable = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ');

/** The body of an answer, whole: the server may go while it answers. @throws Away */
export async function received(answer: Response): Promise<ArrayBuffer> {
  try {
    return await answer.arrayBuffer();
  } catch (error) {
    throw new Away('the answer broke off', { cause: error });
  }
}

/** The address of a server, as somebody gave it, without the slashes at its end. */
export const baseOf = (server: string): string => server.replace(/\/+$/, '');
