// servers/postgresql.ts: a separate PostgreSQL cluster with password authentication (SCRAM-SHA-256); it
// offers TLS. PostgreSQL refuses to run as root, so root starts it as the user of Debian's package.
import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { type TemporaryFolder, temporaryFolder } from '../files/temporary-folder.ts'
import { certificates } from '../targets/certificates.ts'
import { accepts, findProgram, freePort, type ServerKind, ServerProcess } from './server-process.ts'

export const postgresql: ServerKind = {
  name: 'PostgreSQL',
  debianPackages: ['postgresql'],
  find: () => findProgram('/usr/lib/postgresql/*/bin/postgres'),
}

const sessionsAreLeft = 'pre-existing shared memory block'

export interface RunningPostgresql extends AsyncDisposable {
  readonly port: number
  readonly user: string
  readonly password: string
  readonly data: string
  /** Ends it at once, as a crash of its machine does. */
  kill(): Promise<void>
  /** Starts it again after it was killed. */
  startAgain(): Promise<void>
}

export async function startPostgresql(program: string): Promise<RunningPostgresql> {
  const folder = temporaryFolder()
  const port = await freePort()
  const [user, password] = ['ward', 'a password of postgres']
  const uid = process.getuid?.() === 0 ? userId('postgres') : undefined
  const own = (path: string): string => {
    if (uid !== undefined) chownSync(path, uid, uid)
    return path
  }
  own(folder.root)
  const data = makeCluster(program, folder, own(folder.write('password', password)), user, uid)
  const { certificate, key } = certificates.good
  const keyFile = own(folder.write('key.pem', key))
  chmodSync(keyFile, 0o600)
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    fsync: 'off',
    ssl: 'on',
    ssl_cert_file: own(folder.write('certificate.pem', certificate)),
    ssl_key_file: keyFile,
  }
  const start = () =>
    ServerProcess.start({
      program,
      words: ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
      folder,
      ...(uid === undefined ? {} : { uid }),
      isReady: (output) => output.includes('ready to accept connections'),
    })
  let server = await start()
  return {
    ...{ port, user, password, data },
    async kill() {
      server.signal('SIGKILL')
      while (await accepts(port)) await setImmediate()
    },
    async startAgain() {
      for (;;) {
        try {
          server = await start()
          return
        } catch (error) {
          // Sessions notice a moment later that the server was killed.
          if (!(error as Error).message.includes(sessionsAreLeft)) throw error
        }
      }
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

function makeCluster(
  program: string,
  folder: TemporaryFolder,
  passwordFile: string,
  user: string,
  uid: number | undefined,
): string {
  const data = folder.path('data')
  mkdirSync(data, { mode: 0o700 })
  if (uid !== undefined) chownSync(data, uid, uid)
  const words = ['-D', data, '-U', user, `--pwfile=${passwordFile}`, '--auth=scram-sha-256', '--no-sync']
  const identity = uid === undefined ? {} : { uid, gid: uid }
  execFileSync(join(dirname(program), 'initdb'), [...words, '--no-locale', '--encoding=UTF8'], {
    stdio: 'pipe',
    cwd: folder.root,
    ...identity,
  })
  return data
}

function userId(name: string): number {
  return Number(execFileSync('id', ['-u', name], { encoding: 'utf8' }))
}
