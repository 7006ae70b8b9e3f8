// simulation/fleet-plan.ts: the simulated fleet, in terms that the oracle can compare without reading a fleet definition,
// and rendered as the documents that the service loads. People change it all the time (fleet-changes.ts).
import { type ExternalConfig, externalType } from '@pulseward/server/internal/config/external-driver.ts'
import type {
  FleetHead,
  MaintenanceDocument,
  MonitorDocument,
} from '@pulseward/server/internal/config/fleet-file/schema.ts'
import { pushType } from '@pulseward/server/internal/config/push-check.ts'
import type { Color } from '@pulseward/server/internal/notify/driver.ts'
import type { Random } from '../random.ts'
import { type OnCallPlan, headOf as onCallHead } from './on-call/on-call-plan.ts'

const colors = ['red', 'yellow', 'green', 'cyan', 'gray'] as const satisfies readonly Color[]

export type PlannedWindow =
  | { readonly kind: 'hourly'; readonly minute: number; readonly lastsMinutes: number }
  | { readonly kind: 'once'; readonly startMs: number; readonly endMs: number }

export interface PlannedRecovery {
  readonly target: string
  readonly timeoutSeconds: number
  readonly settleSeconds: number | null
  /** Carried out by external workers. */
  readonly isExternal?: boolean
}

export interface PlannedJob {
  /** Null: it is expected at every full minute. */
  readonly everySeconds: number | null
  readonly graceSeconds: number
  readonly earlySeconds: number
  readonly maxRuntimeSeconds: number | null
}

export interface PlannedMonitor {
  readonly id: string
  readonly name: string
  readonly enabled: boolean
  readonly intervalSeconds: number
  readonly timeoutSeconds: number
  readonly unhealthyThreshold: number
  readonly healthyThreshold: number
  /** A different number is a different check. */
  readonly checkVersion: number
  /** Checked by external workers. */
  readonly isExternal?: boolean
  /** It is not checked: it reports by itself. */
  readonly job?: PlannedJob
  readonly recovery: PlannedRecovery | null
  readonly destinations: Readonly<Record<Color, readonly string[]>>
  readonly repeatMinutes: number | null
  readonly window: PlannedWindow | null
  readonly parents: readonly string[]
  /** Who is paged while an incident of it is open; null or absent: nobody. */
  readonly policy?: string | null
  readonly severity?: NonNullable<MonitorDocument['severity']>
}

export interface PlannedEndpoint {
  readonly name: string
  readonly type: string
  /** A different number revives a dead destination. */
  readonly version: number
}

/** Immutable: a plan that was in force once can be compared with the present one. */
export interface FleetPlan {
  readonly monitors: ReadonlyMap<string, PlannedMonitor>
  readonly endpoints: ReadonlyMap<string, PlannedEndpoint>
  /** People, schedules and policies; absent if there are none. */
  readonly onCall?: OnCallPlan | undefined
}

/** Anywhere outside of a request, this text is a leaked secret. */
export const secretMark = 'TOP-SECRET'

const endpointTypes: Readonly<Record<string, string>> = {
  ops: 'webhook',
  pager: 'slack',
  chat: 'google_chat',
  desk: 'log',
}

export function firstPlan(monitors: number, random: Random): FleetPlan {
  const endpoints = Object.entries(endpointTypes).map(([name, type]) => ({ name, type, version: 1 }))
  const plan = {
    monitors: new Map<string, PlannedMonitor>(),
    endpoints: new Map(endpoints.map((endpoint) => [endpoint.name, endpoint])),
  }
  for (let number = 0; number < monitors; number++) {
    const monitor = someMonitor(`m${number}`, plan, random)
    plan.monitors.set(monitor.id, monitor)
  }
  return plan
}

export function someMonitor(id: string, { monitors, endpoints }: FleetPlan, random: Random): PlannedMonitor {
  return {
    id,
    name: `monitor ${id}`,
    enabled: true,
    intervalSeconds: 30,
    timeoutSeconds: random.whole(3, 10),
    unhealthyThreshold: random.whole(1, 4),
    healthyThreshold: random.whole(1, 3),
    checkVersion: 1,
    recovery: random.chance(0.5) ? someRecovery(random) : null,
    destinations: someDestinations([...endpoints.keys()], random),
    repeatMinutes: random.chance(0.3) ? random.whole(2, 20) : null,
    window: random.chance(0.15) ? someHourlyWindow(random) : null,
    parents: random.chance(0.3) ? someParents(id, monitors, random) : [],
  }
}

export function someRecovery(random: Random): PlannedRecovery {
  return {
    target: `machine-${random.whole(1, 6)}`,
    timeoutSeconds: random.whole(5, 30),
    settleSeconds: random.chance(0.5) ? random.whole(1, 60) : null,
  }
}

export function someDestinations(
  endpoints: readonly string[],
  random: Random,
): PlannedMonitor['destinations'] {
  const isLoud = random.chance(0.6)
  const some = () => endpoints.filter(() => random.chance(isLoud ? 0.6 : 0.25))
  return { red: some(), yellow: some(), green: some(), cyan: some(), gray: some() }
}

export function someHourlyWindow(random: Random): PlannedWindow {
  return { kind: 'hourly', minute: random.whole(0, 40), lastsMinutes: random.whole(2, 15) }
}

/** A monitor depends only on those with a smaller number, so there is never a cycle. */
export function someParents(
  id: string,
  monitors: ReadonlyMap<string, PlannedMonitor>,
  random: Random,
): readonly string[] {
  const older = [...monitors.keys()].filter((one) => numberOf(one) < numberOf(id))
  return older.length === 0 ? [] : [...new Set([random.pick(older), random.pick(older)])]
}

export function numberOf(id: string): number {
  return Number(id.slice(1))
}

/** By endpoint, and by the credential of a job. */
export function secretsOf({ endpoints, monitors }: FleetPlan): ReadonlyMap<string, string> {
  const jobs = [...monitors.values()].filter(({ job }) => job !== undefined)
  return new Map([
    ...Array.from(
      endpoints.values(),
      ({ name, version }) => [name, `${secretMark}-${name}-${version}`] as const,
    ),
    ...jobs.map(({ id }) => [`key-of-${id}`, pushKeyOf(id)] as const),
  ])
}

/** The key that a job reports with. */
export function pushKeyOf(id: string): string {
  return `${secretMark}-key-of-${id}`.padEnd(24, '_')
}

export function headOf({ endpoints, onCall }: FleetPlan): FleetHead {
  return {
    ...(onCall === undefined ? {} : onCallHead(onCall)),
    endpoints: Object.fromEntries(
      Array.from(endpoints.values(), ({ name, type, version }) => [
        name,
        type === externalType
          ? { type, config: { ...externalConfig('message', { to: name, version }) } }
          : { type, config: { url: `http://${name}.test/${version}`, hook: { credential: name } } },
      ]),
    ),
  }
}

export function documentsOf({ monitors }: FleetPlan): MonitorDocument[] {
  return Array.from(monitors.values(), documentOf)
}

function documentOf(monitor: PlannedMonitor): MonitorDocument {
  const { id, name, enabled, recovery, destinations, repeatMinutes, window, parents } = monitor
  return {
    id,
    name,
    enabled,
    depends_on: [...parents],
    check: {
      type: typeOf(monitor),
      ...timesOf(monitor),
      unhealthy_threshold: monitor.unhealthyThreshold,
      healthy_threshold: monitor.healthyThreshold,
      config: checkConfigOf(monitor),
    },
    notify: {
      ...Object.fromEntries(colors.map((color) => [color, { endpoints: [...destinations[color]] }])),
      ...(repeatMinutes === null ? {} : { repeat: `${repeatMinutes}m` }),
    },
    ...(monitor.policy == null ? {} : { policy: monitor.policy }),
    ...(monitor.severity === undefined ? {} : { severity: monitor.severity }),
    ...(recovery === null ? {} : { recovery: recoveryDocument(recovery) }),
    ...(window === null ? {} : { maintenance: [windowDocument(window)] }),
  }
}

function timesOf({ job, intervalSeconds, timeoutSeconds }: PlannedMonitor) {
  return job === undefined ? { interval: `${intervalSeconds}s`, timeout: `${timeoutSeconds}s` } : {}
}

function typeOf({ job, isExternal }: PlannedMonitor): string {
  if (job !== undefined) return pushType
  return isExternal ? externalType : 'http'
}

export function checkConfigOf({ id, job, checkVersion, isExternal }: PlannedMonitor) {
  if (job !== undefined) return pushConfigOf(id, job)
  return isExternal
    ? { ...externalConfig('depth', { of: id, version: checkVersion }) }
    : { url: `http://${id}.test/${checkVersion}` }
}

function pushConfigOf(id: string, job: PlannedJob) {
  const { everySeconds, graceSeconds, earlySeconds, maxRuntimeSeconds } = job
  return {
    ...(everySeconds === null
      ? { cron: '* * * * *', early: `${earlySeconds}s` }
      : { every: `${everySeconds}s` }),
    grace: `${graceSeconds}s`,
    ...(maxRuntimeSeconds === null ? {} : { max_runtime: `${maxRuntimeSeconds}s` }),
    key: { credential: `key-of-${id}` },
  }
}

export function recoveryConfigOf({ target, isExternal }: PlannedRecovery) {
  return isExternal ? { ...externalConfig('restart', { target }) } : { url: `http://${target}.test/restart` }
}

/** The name of a job type of workers/job-types.ts. */
function externalConfig(jobType: string, parameters: object): ExternalConfig {
  return { jobType, parameters, profile: 'own' }
}

function recoveryDocument(recovery: PlannedRecovery) {
  const { timeoutSeconds, settleSeconds, isExternal } = recovery
  return {
    type: isExternal ? externalType : 'webhook',
    timeout: `${timeoutSeconds}s`,
    ...(settleSeconds === null ? {} : { settle: `${settleSeconds}s` }),
    config: recoveryConfigOf(recovery),
  }
}

function windowDocument(window: PlannedWindow): MaintenanceDocument {
  if (window.kind === 'hourly')
    return { cron: `${window.minute} * * * *`, duration: `${window.lastsMinutes}m` }
  return { start: new Date(window.startMs).toISOString(), end: new Date(window.endMs).toISOString() }
}
