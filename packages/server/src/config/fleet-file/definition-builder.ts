// config/fleet-file/definition-builder.ts: packs validated monitors into a FleetDefinition, one by one, in
// the order they are read. Defaults may come from a file that is read later, so rows keep what was written.
// At the end, the defaults are applied to the few distinct policies.

import { grown, newColumn, put } from '../../platform/column.ts'
import { durationMs, parseDuration } from '../../platform/duration.ts'
import { Interner } from '../../platform/interner.ts'
import { PackedWriter } from '../../platform/packed-strings.ts'
import { RowIndex } from '../../platform/row-index.ts'
import { jobOf } from '../external-driver.ts'
import { placesOf } from '../places.ts'
import { isReported, reportedThreshold } from '../push-check.ts'
import { openReferences } from './credential-places.ts'
import { credentialNames, jobTypeUse, openUse } from './credentials.ts'
import type {
  CheckPolicy,
  FleetDefinition,
  MaintenanceDefinition,
  NotifyDefinition,
  RecoveryDefinition,
  Shared,
} from './definition.ts'
import type { Destinations } from './destinations.ts'
import { identityOf } from './identity.ts'
import type { Severity } from './on-call.ts'
import { onCallDefinition } from './on-call-definition.ts'
import { matchesLabels, matchesTags } from './route-match.ts'
import {
  type CheckPolicyDocument,
  colors,
  type DriverShapes,
  type FleetHead,
  type MaintenanceDocument,
  type MonitorDocument,
  type NotifyDocument,
} from './schema.ts'
import { badgeDefinitions, statusPageDefinitions } from './status-page-definition.ts'

/** No path contains this character. */
const noFile = '\0'

const defaultIntervalMs = 60_000
const defaultTimeoutMs = 10_000
const defaultRecoveryTimeoutMs = 20_000

/** A policy as written. Undefined fields come from the defaults. */
export interface WrittenPolicy {
  readonly type: string
  readonly enabled: boolean
  readonly written: CheckPolicyDocument
}

/** What a monitor says about who is told, as written. */
export interface WrittenNotify {
  readonly notify?: NotifyDocument | undefined
  readonly policy?: string | undefined
  readonly severity?: Severity | undefined
}

/** The distinct values of one part of the monitors, and each row's number among them. Both grow together. */
class Part<Value> {
  readonly interner = new Interner<Value>()
  #of = newColumn(Uint32Array, 16)
  #count = 0

  constructor(none?: { key: string; value: Value }) {
    if (none) this.interner.intern(none.key, () => none.value)
  }

  append(key: string, make: () => Value): number {
    const number = this.interner.intern(key, make)
    this.appendNumber(number)
    return number
  }

  appendNumber(number: number): void {
    if (this.#count === this.#of.length) this.#of = grown(this.#of, this.#count * 2)
    // Most monitors have number 0, and a column that is never written takes no memory.
    put(this.#of, this.#count++, number)
  }

  numberOf(row: number): number {
    return this.#of[row] as number
  }

  valueOf(row: number): Value {
    return this.interner.values[this.numberOf(row)] as Value
  }

  finish<Final>(finalise: (value: Value) => Final): Shared<Final> {
    return { values: this.interner.values.map(finalise), of: this.#of.subarray(0, this.#count) }
  }
}

export class DefinitionBuilder {
  readonly #ids = new PackedWriter()
  readonly #names = new PackedWriter()
  readonly #configs = new PackedWriter()
  readonly #index = new RowIndex()
  readonly policies = new Part<WrittenPolicy>()
  readonly notifications = new Part<WrittenNotify>({ key: '', value: {} })
  readonly dependencies = new Part<readonly string[]>({ key: '', value: [] })
  readonly #recoveries = new Part<RecoveryDefinition | null>({ key: '', value: null })
  readonly #maintenance = new Part<readonly MaintenanceDefinition[]>({ key: '', value: [] })
  readonly #tags = new Part<readonly string[]>({ key: '', value: [] })
  readonly #labels = new Part<Readonly<Record<string, string>>>({ key: '', value: {} })
  readonly #credentials = new Part<string>({ key: '', value: '' })
  readonly #sources = new Part<string | null>({ key: '', value: '' })
  readonly #drivers: DriverShapes | null
  #lastPolicy: WrittenPolicy | null = null
  #lastPolicyNumber = 0

  /** `drivers` tell open uses of credentials (`openUse`) from secret ones; without them, open uses are not recorded. */
  constructor(drivers: DriverShapes | null = null) {
    this.#drivers = drivers
  }

  get count(): number {
    return this.#ids.count
  }

  idOf(row: number): string {
    return this.#ids.get(row)
  }

  rowOf(id: string): number {
    return this.#index.find(id, this.#ids)
  }

  /**
   * Returns the new row, or -1 if the identity is taken and nothing was added. `source` is the monitor's file, or null.
   */
  add(monitor: MonitorDocument, source: string | null = ''): number {
    const id = identityOf(monitor)
    const row = this.count
    if (!this.#index.add(id, row, this.#ids)) return -1
    this.#ids.append(id)
    this.#names.append(monitor.name)
    const config = monitor.check.config === undefined ? '{}' : JSON.stringify(monitor.check.config)
    this.#configs.append(config)
    this.#appendPolicy(monitor)
    const { recovery, notify, policy, severity, maintenance, tags, labels, depends_on } = monitor
    appendJson(this.#recoveries, recovery, recoveryDefinition)
    this.#appendNotify(notify, policy, severity)
    appendJson(this.#maintenance, maintenance, (windows) => windows.map(maintenanceDefinition))
    // Most monitors have one tag. Its text is a cheaper key than JSON, and cannot collide with it: JSON
    // begins with a bracket.
    if (tags?.length === 1) this.#tags.append(`=${tags[0]}`, () => tags)
    else appendJson(this.#tags, tags, (value) => [...new Set(value)])
    appendJson(this.#labels, labels, (value) => value)
    appendJson(this.dependencies, depends_on, (value) => value)
    // Nearly all monitors have no references, which the text alone shows.
    const mayRefer =
      recovery?.config !== undefined || jobOf(monitor.check) !== null || config.includes('"credential"')
    const names = mayRefer ? [...this.#credentialNames(monitor)].join('\n') : ''
    if (names === '') this.#credentials.appendNumber(0)
    else this.#credentials.append(names, () => names)
    this.#sources.append(source ?? noFile, () => source)
    return row
  }

  /**
   * The credentials of the check and the recovery. A credential used in a field that is not secret appears
   * again as `openUse`.
   */
  *#credentialNames({ check, recovery }: MonitorDocument): Generator<string> {
    const parts = recovery === undefined ? [check] : [check, recovery]
    // Parameters for workers may look like references, but are not.
    yield* credentialNames(parts.filter((part) => jobOf(part) === null).map(({ config }) => config))
    const jobs = parts.flatMap((part) => jobOf(part) ?? [])
    yield* new Set(jobs.map(({ jobType }) => jobTypeUse(jobType)))
    for (const [part, shapes] of [
      [check, this.#drivers?.checks],
      [recovery, this.#drivers?.recoveries],
    ] as const) {
      const shape = shapes?.[part?.type ?? '']
      if (shape === undefined) continue
      for (const { name } of openReferences(shape.config, part?.config)) yield openUse(name)
    }
  }

  #appendNotify(
    notify: NotifyDocument | undefined,
    policy: string | undefined,
    severity: Severity | undefined,
  ): void {
    const isPlain = notify === undefined && policy === undefined && severity === undefined
    appendJson(this.notifications, isPlain ? undefined : { notify, policy, severity }, (value) => value)
  }

  #appendPolicy(monitor: MonitorDocument): void {
    const { type, interval, timeout, unhealthy_threshold, healthy_threshold, retries } = monitor.check
    const enabled = monitor.enabled ?? true
    const last = this.#lastPolicy
    // Neighbours in a file mostly have the same policy, and comparing fields is cheaper than building and hashing a key.
    if (
      last !== null &&
      last.type === type &&
      last.enabled === enabled &&
      last.written.interval === interval &&
      last.written.timeout === timeout &&
      last.written.unhealthy_threshold === unhealthy_threshold &&
      last.written.healthy_threshold === healthy_threshold &&
      last.written.retries === retries &&
      isSamePlaces(last.written, monitor.check)
    ) {
      this.policies.appendNumber(this.#lastPolicyNumber)
      return
    }
    const key = `${type} ${enabled} ${interval} ${timeout} ${unhealthy_threshold} ${healthy_threshold} ${retries} ${placesKey(monitor.check)}`
    this.#lastPolicyNumber = this.policies.append(key, () => {
      const { config: _config, type: _type, ...written } = monitor.check
      return { type, enabled, written }
    })
    this.#lastPolicy = this.policies.interner.values[this.#lastPolicyNumber] ?? null
  }

  /** Whether any monitor has these labels, and the tag if the match names one. Compares each distinct value once. */
  someMatches(match: Readonly<Record<string, string>>): boolean {
    const byLabels = this.#labels.interner.values.map((labels) => matchesLabels(match, labels))
    const byTags = this.#tags.interner.values.map((tags) => matchesTags(match, tags))
    for (let row = 0; row < this.count; row++)
      if (byLabels[this.#labels.numberOf(row)] && byTags[this.#tags.numberOf(row)]) return true
    return false
  }

  finish(head: FleetHead): FleetDefinition {
    const defaults = head.defaults ?? {}
    return {
      count: this.count,
      ids: this.#ids.finish(),
      names: this.#names.finish(),
      configs: this.#configs.finish(),
      policies: this.policies.finish((policy) => resolvePolicy(policy, defaults.check ?? {})),
      recoveries: this.#recoveries.finish((recovery) => recovery),
      notifications: this.notifications.finish((written) => toldBy(written, defaults)),
      maintenance: this.#maintenance.finish((windows) => windows),
      tags: this.#tags.finish((tags) => tags),
      labels: this.#labels.finish((labels) => labels),
      dependencies: this.dependencies.finish((ids) => [...new Set(ids)]),
      credentials: this.#credentials.finish((names) => names),
      sources: this.#sources.finish((source) => source),
      endpoints: new Map(
        Object.entries(head.endpoints ?? {}).map(([name, { type, config }]) => [
          name,
          { type, config: config ?? {} },
        ]),
      ),
      groups: new Map(Object.entries(head.groups ?? {})),
      routes: (head.routes ?? []).map(({ id, match, colors = [], policy, ...rest }, order) => ({
        name: id ?? `routes.${order}`,
        match,
        colors,
        destinations: destinations(rest),
        ...(policy === undefined ? {} : { policy, order }),
      })),
      statusPages: statusPageDefinitions(head),
      badges: badgeDefinitions(head),
      ...onCallDefinition(head),
    }
  }
}

function appendJson<Written, Value>(
  part: Part<Value>,
  written: Written | undefined,
  make: (written: Written) => Value,
): void {
  if (written === undefined) part.appendNumber(0)
  else part.append(JSON.stringify(written), () => make(written))
}

/** The policy in force. A timeout that comes from the defaults is at most the interval. */
export function resolvePolicy(
  { type, enabled, written }: WrittenPolicy,
  defaults: CheckPolicyDocument,
): CheckPolicy {
  if (isReported(type)) return reportedPolicy(type, enabled, written)
  const intervalMs = parseDuration(written.interval ?? defaults.interval ?? '') ?? defaultIntervalMs
  const fallbackTimeoutMs = Math.min(intervalMs, parseDuration(defaults.timeout ?? '') ?? defaultTimeoutMs)
  return {
    type,
    enabled,
    intervalMs,
    timeoutMs: parseDuration(written.timeout ?? '') ?? fallbackTimeoutMs,
    unhealthyThreshold: written.unhealthy_threshold ?? defaults.unhealthy_threshold ?? 3,
    healthyThreshold: written.healthy_threshold ?? defaults.healthy_threshold ?? 2,
    retries: written.retries ?? defaults.retries ?? 0,
    ...placesIn(written, defaults),
  }
}

function placesIn(written: CheckPolicyDocument, defaults: CheckPolicyDocument): Pick<CheckPolicy, 'places'> {
  const locations = written.locations ?? defaults.locations
  const places = placesOf(locations, written.fails_when ?? defaults.fails_when)
  return places === null ? {} : { places }
}

function isSamePlaces(one: CheckPolicyDocument, other: CheckPolicyDocument): boolean {
  if (one.locations === undefined && other.locations === undefined) return one.fails_when === other.fails_when
  return placesKey(one) === placesKey(other)
}

function placesKey({ locations, fails_when }: CheckPolicyDocument): string {
  return `${locations?.join()} ${fails_when}`
}

/** Nothing is run for it, so no default applies; its interval is only what a recovery and its children wait by. */
function reportedPolicy(type: string, enabled: boolean, written: CheckPolicyDocument): CheckPolicy {
  return {
    type,
    enabled,
    intervalMs: defaultIntervalMs,
    timeoutMs: defaultTimeoutMs,
    unhealthyThreshold: written.unhealthy_threshold ?? reportedThreshold,
    healthyThreshold: written.healthy_threshold ?? reportedThreshold,
    retries: 0,
  }
}

function destinations(written: { groups?: string[]; endpoints?: string[] }): Destinations {
  return { groups: written.groups ?? [], endpoints: written.endpoints ?? [] }
}

function notifyDefinition(written: NotifyDocument): NotifyDefinition {
  const named = colors.flatMap((color) => {
    const to = written[color]
    return to === undefined ? [] : [[color, destinations(to)] as const]
  })
  return {
    colors: Object.fromEntries(named),
    repeatMs: parseDuration(written.repeat ?? ''),
  }
}

function toldBy(
  { notify, policy, severity }: WrittenNotify,
  defaults: NonNullable<FleetHead['defaults']>,
): NotifyDefinition {
  const isDefault = notify === undefined && defaults.notify !== undefined
  return {
    ...notifyDefinition(notify ?? defaults.notify ?? {}),
    ...(isDefault ? { isDefault: true } : {}),
    ...(policy === undefined ? {} : { policy }),
    ...(defaults.policy === undefined ? {} : { defaultPolicy: defaults.policy }),
    ...(severity === undefined ? {} : { severity }),
  }
}

function recoveryDefinition(written: NonNullable<MonitorDocument['recovery']>): RecoveryDefinition {
  return {
    type: written.type,
    timeoutMs: parseDuration(written.timeout ?? '') ?? defaultRecoveryTimeoutMs,
    settleMs: parseDuration(written.settle ?? ''),
    config: written.config ?? {},
  }
}

function maintenanceDefinition(window: MaintenanceDocument): MaintenanceDefinition {
  // monitor-rules.ts accepts only complete windows: cron and duration, or start and end.
  const { name, cron, duration = '', start = '', end = '', timezone = 'UTC' } = window
  const named = name === undefined ? {} : { name }
  return cron === undefined
    ? { ...named, kind: 'once', startMs: Date.parse(start), endMs: Date.parse(end) }
    : { ...named, kind: 'cron', cron, durationMs: durationMs(duration), timezone }
}
