// crash/crash-fleet.ts: a fleet in which much happens in a second: short intervals, low thresholds, every color told
// to some destinations, every other monitor recovered by a webhook of its own.

export interface CrashMonitor {
  readonly id: string
  readonly healthyThreshold: number
  /** Where its reds go. */
  readonly redTo: readonly string[]
  readonly hasRecovery: boolean
}

const destinations = 6

export function crashMonitors(count: number): readonly CrashMonitor[] {
  return Array.from({ length: count }, (_, number) => ({
    id: `monitor-${number}`,
    healthyThreshold: number % 3 === 0 ? 2 : 1,
    redTo: [destination(number), destination(number + 1)],
    hasRecovery: number % 2 === 0,
  }))
}

/** The fleet file, as JSON. */
export function crashFleet(
  monitors: readonly CrashMonitor[],
  urls: { readonly targets: string; readonly receivers: string },
): string {
  const names = Array.from({ length: destinations }, (_, number) => destination(number))
  const endpoints = Object.fromEntries(
    names.map((name) => [name, { type: 'webhook', config: { url: `${urls.receivers}/notify/${name}` } }]),
  )
  return JSON.stringify({
    version: 1,
    endpoints,
    monitors: monitors.map((monitor, number) => monitorDocument(monitor, number, urls)),
  })
}

function monitorDocument(
  { id, healthyThreshold, redTo, hasRecovery }: CrashMonitor,
  number: number,
  { targets, receivers }: { readonly targets: string; readonly receivers: string },
): object {
  const [first] = redTo
  const others = Object.fromEntries(
    ['yellow', 'cyan', 'green'].map((color) => [color, { endpoints: [first] }]),
  )
  const recovery = { type: 'webhook', timeout: '1s', settle: '1s', config: { url: `${receivers}/recover` } }
  return {
    id,
    name: `Monitor ${number}`,
    check: {
      type: 'http',
      interval: '1s',
      timeout: '1s',
      unhealthy_threshold: number % 4 === 1 ? 2 : 1,
      healthy_threshold: healthyThreshold,
      config: { url: `${targets}/${id}` },
    },
    notify: { red: { endpoints: redTo }, ...others },
    // Each is a target of its own: interventions with one target wait for each other.
    ...(hasRecovery ? { recovery: { ...recovery, config: { url: `${receivers}/recover/${id}` } } } : {}),
  }
}

function destination(number: number): string {
  return `hook-${number % destinations}`
}
