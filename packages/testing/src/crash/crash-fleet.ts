// crash/crash-fleet.ts: a fleet in which much happens per second: short intervals, low thresholds,
// notifications of every color, policies that page people, and a separate recovery webhook for every other monitor.

export interface CrashMonitor {
  readonly id: string
  readonly healthyThreshold: number
  /** Where its reds go. */
  readonly redTo: readonly string[]
  readonly hasRecovery: boolean
  /** The policy that pages people of its incidents; null if it has none. */
  readonly policy: string | null
}

const destinations = 6
const policies = 25
const stepsOfPolicy = 4
/** Each belongs to a person. A person gets a page of each policy once a minute, so there are many of both. */
const pagedEndpoints = 10

export function crashMonitors(count: number): readonly CrashMonitor[] {
  return Array.from({ length: count }, (_, number) => ({
    id: `monitor-${number}`,
    healthyThreshold: number % 3 === 0 ? 2 : 1,
    redTo: [destination(number), destination(number + 1)],
    hasRecovery: number % 2 === 0,
    policy: number % 3 === 2 ? null : `policy-${number % policies}`,
  }))
}

/** The fleet file, as JSON. */
export function crashFleet(
  monitors: readonly CrashMonitor[],
  urls: { readonly targets: string; readonly receivers: string },
  interval = '1s',
): string {
  const paged = Array.from({ length: pagedEndpoints }, (_, number) => pagedEndpoint(number))
  const names = [...Array.from({ length: destinations }, (_, number) => destination(number)), ...paged]
  const endpoints = Object.fromEntries(
    names.map((name) => [name, { type: 'webhook', config: { url: `${urls.receivers}/notify/${name}` } }]),
  )
  return JSON.stringify({
    version: 1,
    endpoints,
    people: Object.fromEntries(
      paged.map((name, number) => [name, { endpoints: [name, pagedEndpoint(number + 1)] }]),
    ),
    policies: Object.fromEntries(
      Array.from({ length: policies }, (_, number) => [`policy-${number}`, policyDocument(number)]),
    ),
    monitors: monitors.map((monitor, number) => monitorDocument(monitor, number, urls, interval)),
  })
}

/** Every step tells others, as soon as it may. */
function policyDocument(number: number): object {
  const steps = Array.from({ length: stepsOfPolicy }, (_, step) => ({
    notify: [{ person: pagedEndpoint(number + 2 * step) }, { endpoint: destination(number + step) }],
    wait: '1s',
  }))
  return { steps, repeat: 2 }
}

function monitorDocument(
  { id, healthyThreshold, redTo, hasRecovery, policy }: CrashMonitor,
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
    ...(policy === null ? {} : { policy }),
    // A separate target each: interventions with the same target wait for each other.
    ...(hasRecovery ? { recovery: { ...recovery, config: { url: `${receivers}/recover/${id}` } } } : {}),
  }
}

function pagedEndpoint(number: number): string {
  return `paged-${number % pagedEndpoints}`
}

function destination(number: number): string {
  return `hook-${number % destinations}`
}
