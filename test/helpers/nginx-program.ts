// Debian's nginx, which is not on the path of every user.
import { spawnSync } from 'node:child_process';

/** What to start; undefined when it is not installed. */
export const NGINX = ['nginx', '/usr/sbin/nginx'].find((program) => spawnSync(program, ['-v']).status === 0);
