// bench/contender-cpra.ts: CPRa with pulse checks alone, without interventions, codes and its profiling server.
import type { Contender } from './contender.ts'
import { peerEnvironment } from './contender.ts'
import { type PeerFleet, peerMonitors, timeoutSeconds } from './peer-fleet.ts'

export function cpra(path: string): Contender {
  return {
    name: 'CPRa',
    // The name decides the format. Its YAML reader reuses a batch that is still being read, its JSON reader does not.
    fileName: 'cpra.json',
    configuration: manifest,
    async start({ children, file, folder }) {
      const child = children.start(path, ['-yaml', file, '-pprof=false'], {
        cwd: folder,
        stdio: ['ignore', 'ignore', 'ignore'],
        env: peerEnvironment(),
      })
      return child.pid!
    },
  }
}

function manifest(fleet: PeerFleet): string {
  const { type, intervalSeconds } = fleet
  const monitors = peerMonitors(fleet).map(({ name, host, port, url }) => ({
    name,
    enabled: true,
    pulse_check: {
      type,
      interval: `${intervalSeconds}s`,
      timeout: `${timeoutSeconds(fleet)}s`,
      unhealthy_threshold: 3,
      healthy_threshold: 1,
      config: type === 'tcp' ? { host, port, retries: 0 } : { url, method: 'GET', retries: 0 },
    },
  }))
  return JSON.stringify({ monitors })
}
