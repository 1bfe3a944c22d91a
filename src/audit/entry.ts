// Entries of the audit: who did something, from where, and what. Never a name of an athlete, a date of birth, a token or a password.

/** Where somebody acts from: an address of the network and the request, or the command line of this installation. */
export type Origin = { address: string; requestId: string | null };

/** Who acts. Without an origin it is at the command line. */
export type Doer = { id: string | null; email: string | null; origin?: Origin };

/** Whoever runs commands: there they have no account. */
export const OPERATOR: Doer = { id: null, email: 'cli' };

/** The service itself, where nobody asked for it. */
export const SERVICE: Doer = { id: null, email: 'service', origin: { address: 'service', requestId: null } };

export const COMMAND_LINE: Origin = { address: 'cli', requestId: null };

export type Action =
  | 'sign-in'
  | 'sign-in.refused'
  | 'write.refused'
  | `account.${'create' | 'password' | 'disable' | 'enable' | 'grant' | 'revoke' | 'end-tokens' | 'export' | 'erase'}`
  | `competition.${'create' | 'update' | 'upload' | 'settings' | 'delete' | 'delete-part'}`
  | `director.${'add' | 'remove'}`
  | `person.${'export' | 'erase'}`
  | `webhook.${'create' | 'update' | 'rotate' | 'disable' | 'enable' | 'delete'}`;

export type Entry = {
  action: Action;
  competitionId?: string | null;
  /** What it was done to: an account's address, a part of a competition, an endpoint, a webhook. */
  target?: string | null;
  detail?: Record<string, string | number | boolean>;
};
