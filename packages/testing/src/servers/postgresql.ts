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
  // The folder of the programs of another version than Debian's.
  find: () =>
    findProgram(join(process.env['PULSEWARD_POSTGRES_BIN'] ?? '/usr/lib/postgresql/*/bin', 'postgres')),
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

/** What a test that never cuts the power does without. */
const quick = { fsync: 'off' }

export function startPostgresql(
  program: string,
  settings: Readonly<Record<string, string>> = quick,
): Promise<RunningPostgresql> {
  return startOn(program, settings, (folder, passwordFile) => makeCluster(program, folder, passwordFile))
}

/** A standby that follows it, until it is promoted. */
export function startStandby(program: string, primary: RunningPostgresql): Promise<RunningPostgresql> {
  return startOn(program, quick, (folder) => copyCluster(program, folder, primary))
}

const [user, password] = ['ward', 'a password of postgres']

async function startOn(
  program: string,
  more: Readonly<Record<string, string>>,
  makeData: (folder: TemporaryFolder, passwordFile: string) => string,
): Promise<RunningPostgresql> {
  const folder = temporaryFolder()
  const { uid } = serverIdentity()
  const own = (path: string): string => {
    if (uid !== undefined) chownSync(path, uid, uid)
    return path
  }
  own(folder.root)
  const data = makeData(folder, own(folder.write('password', password)))
  const { certificate, key } = certificates.good
  const keyFile = own(folder.write('key.pem', key))
  chmodSync(keyFile, 0o600)
  const settings: Record<string, string | number> = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    ssl: 'on',
    ssl_cert_file: own(folder.write('certificate.pem', certificate)),
    ssl_key_file: keyFile,
    ...more,
  }
  const start = () =>
    ServerProcess.start({
      program,
      words: ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
      folder,
      ...(uid === undefined ? {} : { uid }),
      isReady: (output) => /ready to accept (read-only )?connections/.test(output),
    })
  const startOnFreePort = async (): Promise<{ readonly first: ServerProcess; readonly port: number }> => {
    const port = await freePort()
    settings['port'] = port
    try {
      return { first: await start(), port }
    } catch (error) {
      // Another test was given the same port.
      if (!(error as Error).message.includes('Address already in use')) throw error
      return startOnFreePort()
    }
  }
  const { first, port } = await startOnFreePort()
  let server = first
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

function makeCluster(program: string, folder: TemporaryFolder, passwordFile: string): string {
  const data = dataFolder(folder)
  const words = ['-D', data, '-U', user, `--pwfile=${passwordFile}`, '--auth=scram-sha-256', '--no-sync']
  execFileSync(join(dirname(program), 'initdb'), [...words, '--no-locale', '--encoding=UTF8'], {
    stdio: 'pipe',
    cwd: folder.root,
    ...serverIdentity(),
  })
  return data
}

function copyCluster(program: string, folder: TemporaryFolder, { port }: RunningPostgresql): string {
  const data = dataFolder(folder)
  const words = [
    '-D',
    data,
    '-h',
    '127.0.0.1',
    '-p',
    `${port}`,
    '-U',
    user,
    '-R',
    '--no-sync',
    '--checkpoint=fast',
  ]
  execFileSync(join(dirname(program), 'pg_basebackup'), words, {
    stdio: 'pipe',
    cwd: folder.root,
    env: { ...process.env, PGPASSWORD: password },
    ...serverIdentity(),
  })
  return data
}

function dataFolder(folder: TemporaryFolder): string {
  const data = folder.path('data')
  mkdirSync(data, { mode: 0o700 })
  const { uid } = serverIdentity()
  if (uid !== undefined) chownSync(data, uid, uid)
  return data
}

/** Who runs the server: neither PostgreSQL nor its pool runs as root. */
export function serverIdentity(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const uid = userId('postgres')
  return { uid, gid: uid }
}

function userId(name: string): number {
  return Number(execFileSync('id', ['-u', name], { encoding: 'utf8' }))
}
