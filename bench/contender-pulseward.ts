// bench/contender-pulseward.ts: our whole service, from the fleet file to the status that the API shows.
import type { Contender } from './contender.ts'
import { type PeerFleet, peerMonitors, timeoutSeconds } from './peer-fleet.ts'
import { startService } from './service-process.ts'

export function pulseward(name: string): Contender {
  return {
    name,
    fileName: 'fleet.ndjson',
    configuration: fleetLines,
    async start({ children, file }) {
      const service = await startService(children, { fleetFile: file, edition: 'candidate', resolver: null })
      return service.pid
    },
  }
}

function fleetLines(fleet: PeerFleet): string {
  const { type, intervalSeconds } = fleet
  const lines = peerMonitors(fleet).map(({ name, host, port, url }) =>
    JSON.stringify({
      id: name,
      name,
      check: {
        type,
        interval: `${intervalSeconds}s`,
        timeout: `${timeoutSeconds(fleet)}s`,
        config: type === 'tcp' ? { host, port } : { url },
      },
    }),
  )
  return `${lines.join('\n')}\n`
}
