// servers/mariadb.ts: a separate MariaDB server with one user with a password; it offers TLS.
import { execFileSync } from 'node:child_process'
import { temporaryFolder } from '../files/temporary-folder.ts'
import { certificates } from '../targets/certificates.ts'
import { accepts, findProgram, freePort, type ServerKind, ServerProcess } from './server-process.ts'

export const mariadb: ServerKind = {
  name: 'MariaDB',
  debianPackages: ['mariadb-server'],
  find: () => (findProgram('mariadb-install-db') === null ? null : findProgram('mariadbd')),
}

export interface RunningMariadb extends AsyncDisposable {
  readonly port: number
  readonly user: string
  readonly password: string
  readonly database: string
}

export async function startMariadb(program: string): Promise<RunningMariadb> {
  const folder = temporaryFolder()
  const port = await freePort()
  const [user, password, database] = ['ward', 'a password of mariadb', 'shop']
  // MariaDB refuses to run as root unless told to explicitly.
  const asRoot = process.getuid?.() === 0 ? ['--user=root'] : []
  const data = `--datadir=${folder.path('data')}`
  const install = [
    '--no-defaults',
    data,
    ...asRoot,
    '--auth-root-authentication-method=normal',
    '--skip-test-db',
  ]
  execFileSync(findProgram('mariadb-install-db')!, install, { stdio: 'pipe', cwd: folder.root })
  const { certificate, key } = certificates.good
  const setUp = [
    `CREATE DATABASE ${database};`,
    `CREATE USER ${user}@'127.0.0.1' IDENTIFIED BY '${password}';`,
    `GRANT SELECT ON ${database}.* TO ${user}@'127.0.0.1';`,
  ]
  const server = await ServerProcess.start({
    program,
    words: [
      '--no-defaults',
      data,
      ...asRoot,
      '--bind-address=127.0.0.1',
      `--port=${port}`,
      `--socket=${folder.path('socket')}`,
      `--pid-file=${folder.path('pid')}`,
      `--init-file=${folder.write('set-up.sql', `${setUp.join('\n')}\n`)}`,
      `--ssl-cert=${folder.write('certificate.pem', certificate)}`,
      `--ssl-key=${folder.write('key.pem', key)}`,
      '--skip-name-resolve',
      '--innodb-flush-log-at-trx-commit=0',
    ],
    folder,
    isReady: async (output) => output.includes('ready for connections') && (await accepts(port)),
  })
  return { port, user, password, database, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}
