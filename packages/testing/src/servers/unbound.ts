// servers/unbound.ts: the DNS server Unbound with a few local names; it asks no other server.
import { temporaryFolder } from '../files/temporary-folder.ts'
import { accepts, findProgram, freePort, type ServerKind, ServerProcess } from './server-process.ts'

export const unbound: ServerKind = {
  name: 'Unbound',
  debianPackages: ['unbound'],
  find: () => findProgram('unbound'),
}

export interface RunningUnbound extends AsyncDisposable {
  /** As a configuration names it. */
  readonly address: string
}

/** Records in zone file format; every other name under `test.` does not exist. */
export async function startUnbound(program: string, records: readonly string[]): Promise<RunningUnbound> {
  const folder = temporaryFolder()
  const port = await freePort()
  const data = records.map((record) => `  local-data: '${record}'`).join('\n')
  const configuration = folder.write(
    'unbound.conf',
    `server:
  interface: 127.0.0.1@${port}
  do-daemonize: no
  chroot: ""
  username: ""
  directory: "${folder.root}"
  pidfile: ""
  use-syslog: no
  logfile: ""
  access-control: 127.0.0.0/8 allow
  local-zone: "test." static
  local-zone: "refused.test." refuse
${data}
`,
  )
  const server = await ServerProcess.start({
    program,
    folder,
    words: ['-d', '-c', configuration],
    isReady: () => accepts(port),
  })
  return { address: `127.0.0.1:${port}`, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}
