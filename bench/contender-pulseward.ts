// bench/contender-pulseward.ts: our whole service, from the fleet file to the status that the API shows.
import type { Contender } from './contender.ts'
import { type PeerFleet, peerMonitors, timeoutSeconds } from './peer-fleet.ts'
import { startService } from './service-process.ts'

/** tls: options of each monitor, beside those that it needs to trust the targets. */
export function pulseward(name: string, tls: object = {}, environment: NodeJS.ProcessEnv = {}): Contender {
  return {
    name,
    fileName: 'fleet.ndjson',
    configuration: (fleet) => fleetLines(fleet, tls),
    async start({ children, file }) {
      const options = { fleetFile: file, edition: 'candidate', resolver: null, environment }
      const service = await startService(children, options)
      return service.pid
    },
  }
}

function fleetLines(fleet: PeerFleet, tls: object): string {
  const { type, intervalSeconds, authority: ca, serverName: server_name } = fleet
  const secured = type === 'https' ? { tls: { ca, server_name, ...tls } } : {}
  const lines = peerMonitors(fleet).map(({ name, host, port, url }) =>
    JSON.stringify({
      id: name,
      name,
      check: {
        type: type === 'https' ? 'http' : type,
        interval: `${intervalSeconds}s`,
        timeout: `${timeoutSeconds(fleet)}s`,
        config: type === 'tcp' ? { host, port } : { url, ...secured },
      },
    }),
  )
  return `${lines.join('\n')}\n`
}
