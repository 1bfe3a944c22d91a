// Refusals of a configured database, each in one line for whoever starts the program. Never with its password.
import { OperatorError } from '../errors.ts';
import { outageOf, sqlstateOf } from './sqlstate.ts';
import { type Key, POOLER } from './suitability.ts';

// Wrong password or user, not allowed from here, no such database. Postgres names users and databases, no passwords.
const REFUSED = new Set(['28P01', '28000', '3D000']);
const NO_TLS = /does not support SSL/;
const BAD_CERTIFICATE = /CERT|LEAF_SIGNATURE|^ERR_TLS/;

/** The error to throw instead: what to do about it where that is known, else the error itself. */
export function explainDatabase(error: unknown, url: string, key: Key = 'DATABASE_URL'): unknown {
  const remedy = error instanceof OperatorError ? undefined : remedyFor(error, url, key);
  return remedy === undefined ? error : new OperatorError(remedy, { cause: error });
}

function remedyFor(error: unknown, url: string, key: Key): string | undefined {
  const code = sqlstateOf(error) ?? '';
  const said = messageOf(error);
  if (code === 'ERR_INVALID_URL')
    return `${key} cannot be read: write special characters of the password as %XX ("#" is %23)`;
  if (REFUSED.has(code)) return `The database refuses: ${said}; correct ${key}`;
  if (/unsupported startup parameter/.test(said)) return `${key}: ${POOLER} (${said})`;
  if (NO_TLS.test(said))
    return `The database at ${placeOf(url)} has no TLS, and ${key} asks for it: turn ssl on there, or take sslmode out of ${key}`;
  if (BAD_CERTIFICATE.test(code))
    return `The certificate of the database at ${placeOf(url)} is not trusted (${said}): name its authority in ${key} (sslrootcert=…)`;
  if (code === '42501')
    return `The role of ${key} lacks rights (${said}): make it the owner of the database and its tables`;
  if (code === 'ENOENT' && /ssl|cert|key|\.(pem|crt)/.test(said))
    return `${key} names a file that is not there (${said})`;
  if (outageOf(error) === undefined) return undefined;
  return `The database at ${placeOf(url)} cannot be reached (${code || said}): start it, or correct ${key}`;
}

function messageOf(error: unknown): string {
  let root = error;
  while (root instanceof Error && root.cause instanceof Error) root = root.cause;
  return root instanceof Error ? root.message.split('\n')[0]! : String(root);
}

function placeOf(url: string): string {
  const { host, searchParams } = new URL(url);
  return host || (searchParams.get('host') ?? 'this machine');
}
