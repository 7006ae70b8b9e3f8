// servers/postgres-small-disk.ts: a PostgreSQL whose tables are on a real file system of a few megabytes, which a test
// fills. Its write-ahead log is elsewhere: PostgreSQL ends when that cannot grow, and refuses only the statement when a
// table cannot.
import { chmodSync, chownSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { temporaryFolder } from '../files/temporary-folder.ts'
import { type RunningPostgresql, serverIdentity } from './postgresql.ts'
import { freePort, ServerProcess } from './server-process.ts'

const [user, password] = ['ward', 'a password of postgres']
const bytes = 64 * 1024 * 1024

/** As root of a namespace it mounts the disk, and as an ordinary user of a further one it starts PostgreSQL there. */
const script = `
mount -t tmpfs -o "size=$1,mode=700" tmpfs "$2" &&
exec unshare --user --map-user=1000 --map-group=1000 sh -c '
  "$3/initdb" -D "$2/data" -X "$4" -U "$5" --pwfile="$6" --auth=scram-sha-256 --no-sync --no-locale --encoding=UTF8 >&2 &&
  exec "$3/postgres" -D "$2/data" -c listen_addresses=127.0.0.1 -c port="$7" -c unix_socket_directories= -c fsync=off
' sh "$@"`

export interface SmallPostgresql
  extends Pick<RunningPostgresql, 'port' | 'user' | 'password'>,
    AsyncDisposable {
  /** A file on the disk of its tables. The server can write it; from outside the namespace nobody can. */
  readonly ballast: string
}

export async function startOnSmallDisk(program: string): Promise<SmallPostgresql> {
  const folder = temporaryFolder()
  const port = await freePort()
  const { uid } = serverIdentity()
  const own = (path: string): string => {
    if (uid !== undefined) chownSync(path, uid, uid)
    return path
  }
  const ownFolder = (name: string): string => {
    mkdirSync(folder.path(name), { mode: 0o700 })
    return own(folder.path(name))
  }
  chmodSync(own(folder.root), 0o700)
  const small = ownFolder('small')
  const passwordFile = own(folder.write('password', password))
  const places = [String(bytes), small, dirname(program), join(ownFolder('log'), 'wal')]
  const server = await ServerProcess.start({
    program: 'unshare',
    words: [
      ...['--user', '--map-root-user', '--mount', 'sh', '-c', script, 'sh'],
      ...[...places, user, passwordFile, String(port)],
    ],
    folder,
    ...(uid === undefined ? {} : { uid }),
    isReady: (output) => output.includes('ready to accept connections'),
  })
  return {
    ...{ port, user, password },
    ballast: join(small, 'ballast'),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}
