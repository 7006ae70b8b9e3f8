// bench/contender-gatus.ts: Gatus with results in memory, without metrics, without a line of log per check.
import type { Contender } from './contender.ts'
import { peerEnvironment } from './contender.ts'
import { type PeerFleet, peerMonitors, timeoutSeconds } from './peer-fleet.ts'

export function gatus(path: string): Contender {
  return {
    name: 'Gatus',
    fileName: 'gatus.yaml',
    configuration: gatusConfiguration,
    async start({ children, file, folder }) {
      const child = children.start(path, [], {
        cwd: folder,
        stdio: ['ignore', 'ignore', 'inherit'],
        env: peerEnvironment({ GATUS_CONFIG_PATH: file, GATUS_LOG_LEVEL: 'ERROR' }),
      })
      return child.pid!
    },
  }
}

/** YAML takes JSON as it is, which spares the quoting. */
function gatusConfiguration(fleet: PeerFleet, port: number): string {
  const isTcp = fleet.type === 'tcp'
  // It has no option for an authority, so of https it verifies nothing, which is less than the others do.
  const trust = fleet.type === 'https' ? { insecure: true } : {}
  return JSON.stringify({
    web: { address: '127.0.0.1', port },
    storage: { type: 'memory' },
    metrics: false,
    // Gatus 5.36 recommends `concurrency: 0` instead, but reads it as unset and checks three at a time.
    'disable-monitoring-lock': true,
    endpoints: peerMonitors(fleet).map(({ name, host, port: targetPort, url }) => ({
      name,
      url: isTcp ? `tcp://${host}:${targetPort}` : url,
      interval: `${fleet.intervalSeconds}s`,
      client: { timeout: `${timeoutSeconds(fleet)}s`, ...trust },
      conditions: [isTcp ? '[CONNECTED] == true' : '[STATUS] == 200'],
    })),
  })
}
