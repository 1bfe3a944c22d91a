// The environment with the .env of the working directory, where there is one. What is set in the environment wins.
import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { OperatorError } from './errors.ts';

type Environment = Record<string, string | undefined>;

/** @throws OperatorError when there is a .env that cannot be read: its settings would go missing unnoticed */
export function withEnvFile(env: Environment): Environment {
  return { ...parseEnv(readEnvFile()), ...env };
}

function readEnvFile(): string {
  try {
    return readFileSync('.env', 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return '';
    throw new OperatorError(`.env cannot be read (${code})`);
  }
}
