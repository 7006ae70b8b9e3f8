// servers/sshd.ts: OpenSSH's server for the user who runs the test. It accepts only keys, because passwords
// would need the system's user database.
import { execFileSync } from 'node:child_process'
import { chmodSync, readFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { temporaryFolder } from '../files/temporary-folder.ts'
import { accepts, findProgram, freePort, type ServerKind, ServerProcess } from './server-process.ts'

export const sshd: ServerKind = {
  name: 'OpenSSH',
  debianPackages: ['openssh-server', 'openssh-client'],
  find: () => (findProgram('ssh-keygen') === null ? null : findProgram('sshd')),
}

export interface RunningSshd extends AsyncDisposable {
  readonly host: string
  readonly port: number
  readonly user: string
  /** A key that is accepted, as ssh-keygen wrote it, and one that is not. */
  readonly key: string
  readonly strangersKey: string
  /** As ssh-keygen shows it. */
  readonly fingerprint: string
}

export async function startSshd(program: string): Promise<RunningSshd> {
  const folder = temporaryFolder()
  for (const name of ['host', 'user', 'stranger'])
    keygen('-q', '-t', 'ed25519', '-N', '', '-f', folder.path(name))
  const fingerprint = keygen('-l', '-f', folder.path('host.pub')).split(' ')[1]!
  const port = await freePort()
  const configuration = folder.write(
    'sshd_config',
    `ListenAddress 127.0.0.1:${port}
HostKey ${folder.path('host')}
AuthorizedKeysFile ${folder.path('user.pub')}
PidFile none
UsePAM no
StrictModes no
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin prohibit-password
`,
  )
  // As root, sshd needs this folder for its unprivileged process; the package creates it only at boot.
  if (userInfo().uid === 0) execFileSync('mkdir', ['-p', '/run/sshd'])
  chmodSync(folder.root, 0o755)
  const server = await ServerProcess.start({
    program,
    folder,
    words: ['-D', '-e', '-f', configuration],
    isReady: () => accepts(port),
  })
  return {
    host: '127.0.0.1',
    port,
    fingerprint,
    user: userInfo().username,
    key: readFileSync(folder.path('user'), 'utf8'),
    strangersKey: readFileSync(folder.path('stranger'), 'utf8'),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

function keygen(...words: string[]): string {
  return execFileSync(findProgram('ssh-keygen')!, words, { encoding: 'utf8' })
}
