// A database for one test file (or one test), migrated and empty: a copy of the template costs a few hundredths of a second.
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseError } from 'pg';
import { inject } from 'vitest';
import { asRole, onDatabase, runSql } from './sql.ts';

export type TestDatabase = {
  /** the owner's */
  url: string;
  /** of the role that the service runs as, which may change no table */
  serviceUrl: string;
  drop: () => Promise<void>;
};

export async function createTestDatabase(): Promise<TestDatabase> {
  return await create(inject('template'));
}

/** Without any table, for tests of the migrations themselves. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  return await create('template0');
}

async function create(template: string): Promise<TestDatabase> {
  const adminUrl = inject('adminUrl');
  const name = `${inject('template')}_${randomBytes(6).toString('hex')}`;
  await copy(adminUrl, template, name);
  const url = onDatabase(adminUrl, name);
  return {
    url,
    serviceUrl: asRole(url, inject('serviceRole')),
    drop: async () => {
      await runSql(adminUrl, `drop database if exists ${name} with (force)`);
    },
  };
}

async function copy(adminUrl: string, template: string, name: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await runSql(adminUrl, `create database ${name} template ${template}`);
      return;
    } catch (error) {
      // object_in_use: another worker is copying the template at this moment.
      const busy = error instanceof DatabaseError && error.code === '55006';
      if (!busy || tries === 50) throw error;
      await sleep(50 + Math.random() * 100);
    }
  }
}
