// Another password, or the end of all tokens, for the account that asks for it itself.
import { writeAudit } from '../audit/store.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { AppError, Invalid, Unauthenticated } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Actor } from './permissions.ts';
import { passwordFault } from './rules.ts';
import { type Checks, logRefusal } from './sign-in.ts';
import { lockHash, updateAccount } from './store.ts';

type Change = { currentPassword: string; newPassword: string; address: string };

/** Sets the password; every token of the account ends, that of the request too. @throws Invalid, TooMany */
export async function changePassword(checks: Checks, log: Log, actor: Actor, input: Change): Promise<void> {
  const fault = passwordFault(input.newPassword, actor.email);
  if (fault) throw invalid('new_password', `The password ${fault}`);
  try {
    await checks.hashInTurn(input.address, () => change(checks, actor, input));
  } catch (error) {
    if (error instanceof AppError) {
      logRefusal(log, actor.email, error);
      await checks.noteRefusal(actor, {
        action: 'sign-in.refused',
        detail: { reason: 'change of password' },
      });
    }
    throw error;
  }
  log.info({ account: actor.email }, 'password changed');
}

// A wrong password is a guess here too: whoever found a token must not find the password with it.
async function change(checks: Checks, actor: Actor, { currentPassword, newPassword, address }: Change) {
  const counted = await checks.countGuess({ name: actor.email, address });
  const known = await inTransaction(checks.db, (tx) => lockHash(tx, actor.id));
  if (!(await checks.passwords.verify(known, currentPassword))) {
    throw invalid('current_password', 'This is not the current password');
  }
  const passwordHash = await checks.passwords.hash(newPassword);
  await inTransaction(checks.db, async (tx) => {
    if ((await lockHash(tx, actor.id)) !== known) throw new Unauthenticated('The account was just changed');
    await updateAccount(tx, actor.id, { passwordHash });
    await counted.wasRight(tx, actor.id);
    await writeAudit(tx, actor, { action: 'account.password', target: actor.email });
  });
}

/** Ends every token of the account that was given out before. */
export async function revokeTokens(deps: Pick<Deps, 'db'>, log: Log, actor: Actor): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    await updateAccount(tx, actor.id, {});
    await writeAudit(tx, actor, { action: 'account.end-tokens', target: actor.email });
  });
  log.info({ account: actor.email }, 'tokens revoked');
}

const invalid = (field: string, msg: string) =>
  new Invalid([{ loc: ['body', field], msg, type: 'value_error' }]);
