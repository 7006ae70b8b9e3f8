// servers/pgbouncer.ts: a pool of connections before a PostgreSQL, for tests of what refuses it.
import { chownSync } from 'node:fs'
import { temporaryFolder } from '../files/temporary-folder.ts'
import { type RunningPostgresql, serverIdentity } from './postgresql.ts'
import { accepts, findProgram, freePort, type ServerKind, ServerProcess } from './server-process.ts'

export const pgbouncer: ServerKind = {
  name: 'PgBouncer',
  debianPackages: ['pgbouncer'],
  find: () => findProgram('pgbouncer'),
}

export interface RunningPgbouncer extends AsyncDisposable {
  readonly port: number
}

export async function startPgbouncer(
  program: string,
  mode: 'session' | 'transaction',
  { port: behind, user, password }: Pick<RunningPostgresql, 'port' | 'user' | 'password'>,
): Promise<RunningPgbouncer> {
  const folder = temporaryFolder()
  const port = await freePort()
  const { uid } = serverIdentity()
  const own = (path: string): string => {
    if (uid !== undefined) chownSync(path, uid, uid)
    return path
  }
  own(folder.root)
  const users = own(folder.write('users', `"${user}" "${password}"\n`))
  const config = `
[databases]
* = host=127.0.0.1 port=${behind}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = ${mode}
`
  const server = await ServerProcess.start({
    program,
    words: [own(folder.write('pgbouncer.ini', config))],
    folder,
    ...(uid === undefined ? {} : { uid }),
    isReady: () => accepts(port),
  })
  return { port, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}
