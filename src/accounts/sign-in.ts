// Signing in. Unknown account, wrong password and disabled account look alike and take equally long; the log tells them apart.
import type { NoteRefusal } from '../audit/refusals.ts';
import { countAudit } from '../audit/store.ts';
import type { Db } from '../db/client.ts';
import { inTransaction } from '../db/transaction.ts';
import { AppError, Unauthenticated } from '../errors.ts';
import type { Log } from '../log.ts';
import { acceptInvitations } from './directors-store.ts';
import type { CountGuess } from './guesses.ts';
import type { HashQueue } from './hash-queue.ts';
import type { Passwords } from './hash-thread.ts';
import { isOutdated } from './passwords.ts';
import { EmailAddress } from './schemas.ts';
import { type Credentials, findCredentials, normalizeEmail, replaceHash } from './store.ts';

/** What checking a password takes: places, counts of wrong ones, and where refusals are noted. */
export type Checks = {
  db: Db;
  passwords: Passwords;
  countGuess: CountGuess;
  hashInTurn: HashQueue;
  noteRefusal: NoteRefusal;
};

type SignIn = { username: string; password: string; address: string; requestId: string };

/** Whom a token is given to: the account, and which of its tokens are good at this moment. */
export type TokenHolder = { id: string; tokenEpoch: number };

/** The account that may be given a token. @throws Unauthenticated, TooMany */
export async function signIn(checks: Checks, log: Log, input: SignIn): Promise<TokenHolder> {
  let found: Credentials | null = null;
  try {
    return await checks.hashInTurn(input.address, async () => {
      found = await findCredentials(checks.db, input.username);
      const counted = await checks.countGuess({ name: input.username, address: input.address });
      const account = await verified(checks, found, input.password);
      await inTransaction(checks.db, async (tx) => {
        await counted.wasRight(tx, account.id);
        // Of somebody who was invited at the very moment the account was made.
        await acceptInvitations(tx, account);
        await countAudit(tx, { ...account, origin: originOf(input) }, { action: 'sign-in' });
      });
      return account;
    });
  } catch (error) {
    if (error instanceof AppError) {
      logRefusal(log, input.username, error);
      await auditRefusal(checks, input, { error, account: found });
    }
    throw error;
  }
}

const originOf = ({ address, requestId }: SignIn) => ({ address, requestId });

type Refused = { error: AppError; account: Credentials | null };

// Of names that nobody has, none is kept: people type passwords into the wrong field. Of those who find no place only where
// they come from: they come in crowds, and to look each name up would take the connections of readers.
async function auditRefusal({ noteRefusal }: Checks, input: SignIn, { error, account }: Refused) {
  const doer = { id: account?.id ?? null, email: account?.email ?? null, origin: originOf(input) };
  const reason = typeof error.cause === 'string' ? error.cause : error.name;
  await noteRefusal(doer, { action: 'sign-in.refused', detail: { reason } });
}

type Hashing = Pick<Checks, 'db' | 'passwords'>;

/** As signIn, without limits. @throws Unauthenticated */
export async function verifyCredentials(
  checks: Hashing,
  { username, password }: Pick<SignIn, 'username' | 'password'>,
): Promise<TokenHolder & { email: string }> {
  return verified(checks, await findCredentials(checks.db, username), password);
}

/** The account, when the password is its own. A hash made with other parameters than today's is made anew. */
async function verified({ db, passwords }: Hashing, account: Credentials | null, password: string) {
  const matches = await passwords.verify(account?.passwordHash ?? null, password);
  if (!account) return refuse('unknown account');
  if (!matches) return refuse('wrong password');
  if (account.disabled) return refuse('disabled account');
  if (isOutdated(account.passwordHash)) {
    await replaceHash(db, account.id, account.passwordHash, await passwords.hash(password));
  }
  const { id, email, tokenEpoch } = account;
  return { id, email, tokenEpoch };
}

function refuse(cause: string): never {
  throw new Unauthenticated('Incorrect e-mail or password', { cause });
}

// People type passwords into the wrong field: only what looks like an address is shown.
export function logRefusal(log: Log, username: string, { cause, message }: AppError): void {
  const account = EmailAddress.safeParse(username).success ? normalizeEmail(username) : 'not an address';
  log.warn({ account, reason: cause ?? message }, 'sign-in refused');
}
