import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DCLinter } from 'dclint';
import { type Copy, DockerfileParser } from 'dockerfile-ast';
import { validate } from 'dockerfile-utils';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { loadConfig } from '../../src/config.ts';
import { templateNames } from '../helpers/nginx-config.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

type Service = {
  image: string;
  build?: string;
  ports?: string[];
  networks: string[];
  profiles?: string[];
  environment: Record<string, string>;
  healthcheck?: { test: string[] };
  depends_on?: Record<string, { condition: string }>;
  volumes?: (string | { source: string; read_only?: boolean })[];
  cap_drop: string[];
  security_opt: string[];
  restart: string;
  command?: string[];
  mem_limit?: string;
  logging: { driver: string; options: Record<string, string> };
  container_name?: string;
};
type Compose = { services: Record<string, Service>; networks: Record<string, { internal?: boolean }> };

const composeText = read('docker-compose.yml');
const compose: Compose = parse(composeText, { merge: true });
const services = Object.entries(compose.services);
const namesOf = (is: (service: Service) => boolean) =>
  services.filter(([, service]) => is(service)).map(([name]) => name);
const keysOf = (file: string) => [...read(file).matchAll(/^([A-Z_]+)=/gm)].map(([, key]) => key!);

/** The file as docker compose reads it: ${NAME:-default} and ${NAME:?reason} replaced in every text. */
function interpolated(values: Record<string, string>): Compose {
  const fill = (text: string) =>
    text.replaceAll(/\$\{(\w+):([-?])([^}]*)\}/g, (_whole, name: string, operator: string, rest: string) => {
      if (!values[name] && operator === '?') throw new Error(`${name} is missing: ${rest}`);
      return values[name] ?? rest;
    });
  return JSON.parse(JSON.stringify(compose), (_key, value: unknown) =>
    typeof value === 'string' ? fill(value) : value,
  );
}

/** What deploy/secrets.sh writes for an address. */
function secrets(...address: string[]): Record<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'athletics-secrets-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(join(ROOT, 'deploy'), join(folder, 'deploy'), { recursive: true });
  const run = () => execFileSync(join(folder, 'deploy/secrets.sh'), address, { stdio: 'pipe' });
  run();
  const file = join(folder, '.env');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const text = readFileSync(file, 'utf8');
  expect(run).toThrow('is there already');
  expect(readFileSync(file, 'utf8')).toBe(text);
  return Object.fromEntries([...text.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, key, value]) => [key, value]));
}

const unwell = (times: number) => Array<string>(times).fill('1 ');

describe('docker-compose.yml', () => {
  test('follows the schema of compose files and has none of the usual mistakes', () => {
    const style = [
      'service-keys-order',
      'services-alphabetical-order',
      'service-dependencies-alphabetical-order',
      'top-level-properties-order',
    ];
    const rules = {
      ...Object.fromEntries(style.map((rule) => [rule, 0 as const])),
      // The image that is built has a name, for both environments.
      'no-build-and-image': 0 as const,
      // It is published to everybody on purpose, or where HTTP_PORT says.
      'no-unbound-port-interfaces': 0 as const,
      'require-quotes-in-ports': [1, { quoteType: 'single' }] as [1, Record<string, unknown>],
    };
    const linter = new DCLinter({ rules, quiet: false, debug: false, exclude: [] });
    const [result] = linter.lintFiles([join(ROOT, 'docker-compose.yml')], false);
    const messages: { rule: string; line: number; message: string }[] = result!.messages;
    expect(messages.map(({ rule, line, message }) => `${line}: ${rule}: ${message}`)).toEqual([]);
  });

  test('lets the outside in through nginx alone, and databases out nowhere', () => {
    expect(namesOf(({ ports }) => ports !== undefined)).toEqual(['nginx']);
    const databases = services.filter(([, { image }]) => image.startsWith('postgres:'));
    expect(databases).toHaveLength(2);
    for (const [, { networks }] of databases) {
      expect(networks.map((network) => compose.networks[network])).toEqual([{ internal: true }]);
      // The database and its application.
      expect(namesOf((other) => other.networks.includes(networks[0]!))).toHaveLength(2);
    }
  });

  test('pins every image, restarts, checks and confines every service, and lets each be scaled', () => {
    const foreign = services.filter(([, { build }]) => build === undefined).map(([, service]) => service);
    for (const { image, healthcheck } of foreign) {
      // Of Sockudo's no digest is known yet.
      const digest = image.startsWith('ghcr.io/sockudo/') ? '' : '@sha256:[0-9a-f]{64}';
      expect(image).toMatch(new RegExp(`:\\d+\\.\\d+(\\.\\d+)?(-[\\w.-]+)?${digest}$`));
      expect(healthcheck?.test[0]).toBe('CMD');
    }
    for (const [, service] of services)
      expect(service).toMatchObject({
        restart: 'unless-stopped',
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      });
    expect(namesOf(({ container_name }) => container_name !== undefined)).toEqual([]);
  });

  test('bounds the memory of every service, and keeps half a gigabyte of its log', () => {
    for (const [name, { mem_limit: memory, logging }] of services) {
      expect([name, memory]).toEqual([name, expect.stringMatching(/^\d+[mg]$/)]);
      expect(logging).toEqual({ driver: 'local', options: { 'max-size': '50m', 'max-file': '10' } });
    }
  });

  test('has connections for eight replicas', () => {
    const [, max] = /max_connections=(\d+)/.exec(compose.services['postgres']!.command!.join(' '))!;
    const { DATABASE_POOL_SIZE: size } = loadConfig({});
    expect(Number(max)).toBeGreaterThan(8 * (2 * size + 7));
  });

  test('ends a replica that does not answer for a minute, so that it is started again', () => {
    const [shell, command] = compose.services['app']!.healthcheck!.test;
    expect(shell).toBe('CMD-SHELL');
    const folder = mkdtempSync(join(tmpdir(), 'athletics-health-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    // As in the container, but for what it would end.
    const script = command!
      .replaceAll('$$', '$')
      .replaceAll('/tmp/', `${folder}/`)
      .replace(/node -e ".*?"\s/, 'test -e well ')
      .replace('kill -KILL -1', 'echo ended');
    const check = () => spawnSync('sh', ['-c', script], { cwd: folder, encoding: 'utf8' });
    const checks = (times: number) =>
      Array.from({ length: times }, () => check()).map(({ status, stdout }) => `${status} ${stdout}`);
    expect(checks(5)).toEqual(unwell(5));
    writeFileSync(join(folder, 'well'), '');
    expect(checks(1)).toEqual(['0 ']);
    rmSync(join(folder, 'well'));
    expect(checks(7)).toEqual([...unwell(5), '1 ended\n', ...unwell(1)]);
  });

  test('has a test environment that shares nothing with the other but program and nginx', () => {
    const own = /PASSWORD|SECRET|_KEY$|APP_ID|_HOST$|_URL$|^ENVIRONMENT$/;
    const twins = services.filter(([name]) => name.startsWith('test-'));
    expect(twins.map(([name]) => name)).toEqual(['test-app', 'test-postgres', 'test-sockudo']);
    for (const [name, twin] of twins) {
      const original = compose.services[name.slice('test-'.length)]!;
      expect([original.profiles, twin.profiles]).toEqual([undefined, ['test']]);
      for (const volume of (twin.volumes ?? []).filter(isData))
        expect(original.volumes).not.toContain(volume);
      const keys = Object.keys(twin.environment);
      const different = keys.filter((key) => twin.environment[key] !== original.environment[key]);
      // The user's and the database's name are the same, in databases of their own.
      expect(different).toEqual(keys.filter((key) => own.test(key)));
    }
  });

  test('waits for nobody before nginx serves files, and for database and push before the application starts', () => {
    expect(compose.services['nginx']?.depends_on).toBeUndefined();
    const waits = Object.entries(compose.services['app']?.depends_on ?? {});
    expect(waits).toEqual([
      ['postgres', { condition: 'service_healthy' }],
      ['sockudo', { condition: 'service_healthy' }],
    ]);
    const mounts = compose.services['nginx']?.volumes?.filter((mount) => typeof mount === 'object');
    expect(mounts?.map(({ read_only }) => read_only)).toEqual([true, true]);
  });

  test('asks for no secret it does not get, and makes none up', () => {
    const secret = /PASSWORD|SECRET|PUSHER_(APP_ID|KEY)$|BASE_URL$|^PUBLIC_/;
    const asked = [...composeText.matchAll(/\$\{(\w+)(:[-?])?/g)].map(([, name, operator]) => ({
      name,
      operator,
    }));
    const offered = keysOf('deploy/compose.env.example');
    // Also settings of the application that are still to come.
    const documented = new Set([...offered, ...keysOf('.env.example'), 'CACHE_MB', 'DATA_SITE_CASE']);
    expect(asked.filter(({ name }) => !documented.has(name!))).toEqual([]);
    expect(asked.filter(({ name, operator }) => operator !== (secret.test(name!) ? ':?' : ':-'))).toEqual([]);
    expect(offered.filter((key) => !asked.some(({ name }) => name === key))).toEqual([]);
    expect(() => interpolated({})).toThrow('is missing');
  });

  test('gives nginx every value that its template asks for', async () => {
    // The last one is set by the image, from its container's resolv.conf.
    const given = new Set([...Object.keys(compose.services['nginx']!.environment), 'NGINX_LOCAL_RESOLVERS']);
    const names = await templateNames();
    expect(names).toContain('STATIC_ROOT');
    expect(names.filter((name) => !given.has(name))).toEqual([]);
  });

  test('hands every setting of the application on, or fixes it', () => {
    const handed = Object.keys(compose.services['app']!.environment);
    // Of the embedded parts, which are not used here.
    const embedded = ['DATA_DIR', 'PUSH_MAX_CONNECTIONS', 'PUSH_MAX_CONNECTIONS_PER_ADDRESS'];
    expect(keysOf('.env.example').filter((key) => !handed.includes(key))).toEqual(embedded);
  });

  test.each([
    [[], { BASE_URL: 'http://localhost', PUSHER_PUBLIC_PORT: 80, PUSHER_PUBLIC_TLS: false }, '80:8080'],
    [
      ['https://results.example.org/'],
      { BASE_URL: 'https://results.example.org', PUSHER_PUBLIC_PORT: 443, PUSHER_PUBLIC_TLS: true },
      '127.0.0.1:8080:8080',
    ],
    [
      ['http://results.lan:8090'],
      { BASE_URL: 'http://results.lan:8090', PUSHER_PUBLIC_HOST: 'results.lan', PUSHER_PUBLIC_PORT: 8090 },
      '8090:8080',
    ],
  ])('starts both applications with what deploy/secrets.sh makes of %j', (address, expected, published) => {
    const values = secrets(...address);
    const { services: filled } = interpolated(values);
    expect(filled['nginx']?.ports).toEqual([published]);
    // Believed only where nobody else gets in.
    expect(filled['nginx']?.environment['OUTER_PROXY'] !== 'unix:').toBe(published.startsWith('127.0.0.1:'));
    const [main, test] = ['app', 'test-app'].map((name) => loadConfig(filled[name]!.environment));
    expect(main).toMatchObject({ ...expected, TRUST_PROXY: 1, embeddedPush: false, ENVIRONMENT: 'live' });
    expect(test).toMatchObject({
      ENVIRONMENT: 'test',
      PUSHER_PUBLIC_HOST: `test-${main!.PUSHER_PUBLIC_HOST}`,
    });
    expect(test!.BASE_URL).toBe(main!.BASE_URL!.replace('://', '://test-'));
    for (const [prefix, config] of [
      ['', main],
      ['test-', test],
    ] as const) {
      const push = filled[`${prefix}sockudo`]!.environment;
      expect([push['SOCKUDO_DEFAULT_APP_KEY'], push['SOCKUDO_DEFAULT_APP_SECRET']]).toEqual([
        config!.PUSHER_KEY,
        config!.PUSHER_SECRET,
      ]);
      const { POSTGRES_PASSWORD: owner, SERVICE_PASSWORD: service } =
        filled[`${prefix}postgres`]!.environment;
      const place = `${prefix}postgres:5432/athletics`;
      expect(config).toMatchObject({
        DATABASE_URL: `postgres://athletics_service:${service}@${place}`,
        DATABASE_MIGRATION_URL: `postgres://athletics:${owner}@${place}`,
      });
      // Which it runs for a new database.
      expect(filled[`${prefix}postgres`]!.volumes).toContain(
        './deploy/service-role.sh:/docker-entrypoint-initdb.d/service-role.sh:ro',
      );
    }
    const made = Object.entries(values).filter(([key]) => /PASSWORD|SECRET|_KEY$/.test(key));
    expect(new Set(made.map(([, value]) => value)).size).toBe(10);
    for (const [, value] of made) expect(value).toMatch(/^[0-9a-f]{20}$|^[0-9a-f]{64}$/);
  });
});

describe('Dockerfile', () => {
  const dockerfile = DockerfileParser.parse(read('Dockerfile'));
  const last = dockerfile.getFROMs().at(-1)!.getRange().start.line;
  const instructions = dockerfile.getInstructions();
  const final = instructions.filter((instruction) => instruction.getRange().start.line > last);
  const argumentsOf = (keyword: string) =>
    final
      .filter((instruction) => instruction.getKeyword() === keyword)
      .map((one) => one.getArgumentsContent());

  test('is valid', () => {
    expect(validate(read('Dockerfile'))).toEqual([]);
  });

  test('builds every stage on one pinned image, and runs the program itself as another user than root', () => {
    const [image] = dockerfile.getInitialARGs();
    expect(image?.getProperty()?.getValue()).toMatch(/^node:\d+\.\d+\.\d+-[a-z]+-slim@sha256:[0-9a-f]{64}$/);
    expect(dockerfile.getFROMs().map((from) => from.getImage())).toEqual(Array(3).fill('${NODE_IMAGE}'));
    expect(argumentsOf('USER')).toEqual(['node']);
    expect(argumentsOf('STOPSIGNAL')).toEqual(['SIGTERM']);
    const [, command] = read('package.json').match(/"start": ".*&& (node .*)"/)!;
    expect(JSON.parse(argumentsOf('CMD').join())).toEqual(command!.split(' '));
    expect(argumentsOf('HEALTHCHECK').join()).toContain('/healthz');
  });

  test('copies what there is, and what .dockerignore lets through', () => {
    const copies = instructions.filter((one): one is Copy => one.getKeyword() === 'COPY');
    const fromContext = copies.filter((copy) => copy.getFromFlag() === null);
    const sources = new Set(
      fromContext.flatMap((copy) => copy.getArguments().slice(0, -1)).map((argument) => argument.getValue()),
    );
    const [everything, ...exceptions] = read('.dockerignore')
      .split('\n')
      .filter((line) => /^[^#]/.test(line));
    expect(everything).toBe('*');
    expect(exceptions.toSorted()).toEqual(Array.from(sources, (source) => `!${source}`).toSorted());
    expect(Array.from(sources).filter((source) => !existsSync(join(ROOT, source)))).toEqual([]);
    // The program looks for them two folders above dist/db.
    expect(argumentsOf('COPY')).toContain('migrations ./migrations');
  });
});

/** What lies in deploy/ is of the program. */
function isData(volume: unknown): boolean {
  return typeof volume !== 'string' || !volume.startsWith('./deploy/');
}
