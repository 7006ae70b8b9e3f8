// servers/chronyd.ts: chrony's time server. It neither sets the clock of the machine nor asks another server:
// it serves its own clock with a given stratum, or as not synchronised.
import { execFileSync } from 'node:child_process'
import { temporaryFolder } from '../files/temporary-folder.ts'
import { findProgram, freePort, type ServerKind, ServerProcess } from './server-process.ts'

export const chronyd: ServerKind = {
  name: 'chrony',
  debianPackages: ['chrony'],
  find: () => findProgram('chronyd'),
}

export interface RunningChronyd extends AsyncDisposable {
  readonly host: string
  readonly port: number
}

export async function startChronyd(program: string, isSynchronised: boolean): Promise<RunningChronyd> {
  const folder = temporaryFolder()
  const port = await freePort()
  const configuration = folder.write(
    'chrony.conf',
    `port ${port}
bindaddress 127.0.0.1
cmdport 0
bindcmdaddress ${folder.path('chronyd.sock')}
pidfile ${folder.path('chronyd.pid')}
allow 127.0.0.0/8
user ${execFileSync('id', ['-un'], { encoding: 'utf8' }).trim()}
${isSynchronised ? 'local stratum 3' : ''}
`,
  )
  const server = await ServerProcess.start({
    program,
    folder,
    words: ['-d', '-x', '-U', '-f', configuration],
    // It prints this when it has bound its UDP port, which cannot be probed by connecting.
    isReady: (output) =>
      output.includes('chronyd version') && output.includes('Disabled control of system clock'),
  })
  return { host: '127.0.0.1', port, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}
