// Sockudo for tests: what is started ends with the test.
import { onTestFinished } from 'vitest';
import type { Environment } from './program.ts';
import { type Identity, launchSockudo, type SockudoNode } from './sockudo-program.ts';

/** @param changed what differs from the composition */
export async function startSockudo(identity: Identity, changed: Environment = {}): Promise<SockudoNode> {
  const node = await launchSockudo(identity, changed);
  onTestFinished(async () => void (await node.kill('SIGKILL')));
  return node;
}
