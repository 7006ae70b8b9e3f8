// crash/crash-fleet.ts: a fleet in which much happens per second: short intervals, low thresholds,
// notifications of every color, and a separate recovery webhook for every other monitor.

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
  interval = '1s',
): string {
  const names = Array.from({ length: destinations }, (_, number) => destination(number))
  const endpoints = Object.fromEntries(
    names.map((name) => [name, { type: 'webhook', config: { url: `${urls.receivers}/notify/${name}` } }]),
  )
  return JSON.stringify({
    version: 1,
    endpoints,
    monitors: monitors.map((monitor, number) => monitorDocument(monitor, number, urls, interval)),
  })
}

function monitorDocument(
  { id, healthyThreshold, redTo, hasRecovery }: CrashMonitor,
  number: number,
  { targets, receivers }: { readonly targets: string; readonly receivers: string },
  interval: string,
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
      interval,
      timeout: '1s',
      unhealthy_threshold: number % 4 === 1 ? 2 : 1,
      healthy_threshold: healthyThreshold,
      config: { url: `${targets}/${id}` },
    },
    notify: { red: { endpoints: redTo }, ...others },
    // A separate target each: interventions with the same target wait for each other.
    ...(hasRecovery ? { recovery: { ...recovery, config: { url: `${receivers}/recover/${id}` } } } : {}),
  }
}

function destination(number: number): string {
  return `hook-${number % destinations}`
}
