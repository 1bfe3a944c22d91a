// The signing of webhooks as Standard Webhooks has it: secrets, and the signatures of an attempt.
import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

export const newSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64');

export type Signed = { id: string; timestampSeconds: number; body: string };

/** One signature for each secret, separated by blanks: the receiver takes any that it can check. */
export function signatures(secrets: string[], { id, timestampSeconds, body }: Signed): string {
  const content = `${id}.${timestampSeconds}.${body}`;
  return secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
      return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
    })
    .join(' ');
}
