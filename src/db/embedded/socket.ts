// The folder of an embedded server's Unix socket, over which statements take less time than over TCP; or why there is none.
import { chown, mkdir, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { codeOf, type SystemUser } from './processes.ts';

export type SocketPlace = { folder: string } | { refused: string };

/** Where the sockets of the cluster in this folder are. Nobody else's are there. */
export const socketFolder = (clusterFolder: string): string => join(clusterFolder, 'socket');

// Of sockaddr_un; the path ends with a zero.
const PATH_BYTES_MAX = process.platform === 'linux' ? 107 : 103;
// What Postgres calls it, with the longest of ports.
const LONGEST_NAME = '.s.PGSQL.65535';

type Around = { folder: string; user?: SystemUser | undefined };

/** Makes the folder anew, without what a killed server left. Inside the start lock, and only when no server runs. */
export async function prepareSocketFolder(
  { folder: clusterFolder, user }: Around,
  tryIt: (path: string) => Promise<void> = listenAt,
): Promise<SocketPlace> {
  const folder = socketFolder(clusterFolder);
  const longest = join(folder, LONGEST_NAME);
  // Node takes such a path for the name of a pipe.
  if (process.platform === 'win32') return { refused: 'this system has none for files' };
  if (Buffer.byteLength(longest) > PATH_BYTES_MAX) return { refused: 'the path of DATA_DIR is too long' };
  try {
    await rm(folder, { recursive: true, force: true });
    // The password protects it as well; but who cannot come near cannot guess.
    await mkdir(folder, { mode: 0o700 });
    await tryIt(longest);
    if (user) await chown(folder, user.uid, user.gid);
    return { folder };
  } catch (error) {
    return { refused: `${folder} takes none (${codeOf(error) ?? String(error)})` };
  }
}

// Some file systems refuse sockets (FAT, some shared folders), and some let them be made that nobody can connect to.
async function listenAt(path: string): Promise<void> {
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(path, resolve);
  });
  try {
    await new Promise<void>((resolve, reject) => {
      const client = connect(path, () => {
        client.destroy();
        resolve();
      });
      client.once('error', reject);
    });
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}
