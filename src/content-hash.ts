// Hash by which equal contents are recognised.
import { hash } from 'node:crypto';

export const contentHash = (text: string): string => hash('sha256', text, 'base64url');
