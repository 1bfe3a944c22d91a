// The demo's account: made at the first start, and given its password again at every later one.
import { join } from 'node:path';
import { setDisabled, setPassword } from '../accounts/change-account.ts';
import { grantGroup } from '../accounts/change-groups.ts';
import { createAccount } from '../accounts/create-account.ts';
import type { Deps } from '../deps.ts';
import { Conflict } from '../errors.ts';
import { secretFile } from '../secret-file.ts';
import { COUNTRY } from './people.ts';

export type Account = { email: string; password: string; group: string };

/** The password is random but stays with the data folder, so that lines copied from an earlier start go on working. */
export async function demoAccount(deps: Deps): Promise<Account> {
  const secret = await secretFile(join(deps.config.DATA_DIR, 'demo-password'));
  const account = { email: 'demo@example.org', password: secret.slice(0, 12), group: `ADMIN_${COUNTRY}` };
  try {
    await createAccount(deps, { ...account, groups: [account.group] });
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
    await setPassword(deps, account);
    await setDisabled(deps, { email: account.email, disabled: false });
    await grantGroup(deps, account);
  }
  return account;
}
