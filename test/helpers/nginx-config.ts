// deploy/nginx.conf filled in for programs of this machine, as the container's start fills it in.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const TEMPLATE = fileURLToPath(new URL('../../deploy/nginx.conf', import.meta.url));

export type NginxOptions = {
  port: number;
  /** Ports of the replicas on this machine. */
  apps: string[];
  /** Holds main/ and test/, each the STATIC_DIR of an environment. */
  staticRoot: string;
  /** Further values of the template. */
  values?: Record<string, string>;
};

/** Every name that the template leaves to its environment. */
export async function templateNames(): Promise<string[]> {
  const names = (await readFile(TEMPLATE, 'utf8')).matchAll(/\$\{(\w+)\}/g);
  return [...new Set(Array.from(names, ([, name]) => name!))];
}

export const deployedConfig = async (options: NginxOptions): Promise<string> => fillIn(valuesOf(options));

function valuesOf({ port, apps, staticRoot, values }: NginxOptions): Record<string, string> {
  const servers = apps.map((app) => `server 127.0.0.1:${app} max_fails=0;`).join('\n');
  return {
    NGINX_LISTEN: `127.0.0.1:${port}`,
    // Nobody is asked: there are no names.
    NGINX_LOCAL_RESOLVERS: '127.0.0.1',
    STATIC_ROOT: staticRoot,
    BODY_LIMIT_MB: '64',
    EDGE_CACHE_SECONDS: '0',
    OUTER_PROXY: 'unix:',
    APP_SERVERS: servers,
    PUSH_SERVERS: servers,
    TEST_APP: '127.0.0.1:1',
    TEST_PUSH: '127.0.0.1:1',
    ...values,
  };
}

async function fillIn(values: Record<string, string>): Promise<string> {
  const template = await readFile(TEMPLATE, 'utf8');
  return template.replaceAll(/\$\{(\w+)\}/g, (whole, name: string) => {
    if (values[name] === undefined) throw new Error(`${whole} has no value`);
    return values[name];
  });
}
