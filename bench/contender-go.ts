// bench/contender-go.ts: Go's net/http with a full handshake and a connection of its own for every check, as the peers make
// them that are written in Go. Nothing else of a monitoring service is in it, so it is the least that they can cost.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { type Contender, peerEnvironment } from './contender.ts'
import { peerMonitors, timeoutSeconds } from './peer-fleet.ts'

const source = join(import.meta.dirname, 'https-client.go')

/** Null where Go is not installed. Builds into the folder. */
export function goClient(folder: string): Contender | null {
  const program = join(folder, 'https-client')
  const built = spawnSync('go', ['build', '-o', program, source], { stdio: ['ignore', 'inherit', 'inherit'] })
  if (built.error !== undefined) return null
  if (built.status !== 0) throw new Error(`go build of ${source} ended with ${built.status}`)
  return {
    name: 'Go net/http',
    fileName: 'fleet.json',
    configuration: (fleet) =>
      JSON.stringify({
        urls: peerMonitors(fleet).map(({ url }) => url),
        intervalMs: fleet.intervalSeconds * 1000,
        timeoutMs: timeoutSeconds(fleet) * 1000,
        authority: fleet.authority,
        serverName: fleet.serverName,
      }),
    async start({ children, file }) {
      const child = children.start(program, [file], {
        stdio: ['ignore', 'ignore', 'inherit'],
        env: peerEnvironment(),
      })
      return child.pid!
    },
  }
}
