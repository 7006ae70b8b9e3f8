// managing/resource-use.ts: what uses a credential or a job type of v2, and whether another value, or another version, would
// still fit all of it. Monitors are found by the fleet's own chains, so that nothing here walks over the fleet; those that
// are being committed, and endpoints, are few.
import { setImmediate as afterOthers } from 'node:timers/promises'
import { type ExternalConfig, externalType } from '../config/external-driver.ts'
import { type ValueMistake, valueMistakes } from '../config/fleet-file/credential-values.ts'
import { credentialIdOf, credentialName, jobTypeUse, openUse } from '../config/fleet-file/credentials.ts'
import type { DriverShape, DriverShapes } from '../config/fleet-file/schema.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { PackedReader } from '../platform/packed-strings.ts'
import { isOneLine } from '../platform/schema.ts'
import type { JobKind, JobTypeInForce } from '../resources/job-type.ts'
import { driversOfMonitor, runningDriver, type Shapes, shapeOf, usedNames } from './driver-config.ts'
import type { FieldError } from './field-error.ts'
import type { ManagedKind, ManagedResource, SpecOf } from './managed-resource.ts'
import { jsonPointer } from './monitor-document.ts'

type Endpoint = ManagedResource<SpecOf['NotificationEndpoint']>
type Monitor = ManagedResource<SpecOf['Monitor']>

export interface ResourceUseOptions {
  readonly fleet: Fleet
  readonly drivers: DriverShapes
  readonly endpoints: () => Iterable<Endpoint>
  /** Monitors that are being committed. */
  readonly pending: () => Iterable<Monitor>
  readonly credentialValue: (id: string) => string | null
}

/** What can be used. */
export interface Used {
  readonly kind: 'Credential' | 'JobType'
  readonly id: string
}

/** A driver with its options as the running fleet has them. */
interface DriverInUse {
  readonly kind: JobKind
  readonly type: string
  /** Null for a job type. */
  readonly shape: DriverShape | null
  readonly config: object
  /** Where the driver stands in its resource. */
  readonly pointer: string
}

/** What uses it, and what would be wrong with it there. */
export interface Misfit {
  readonly kind: ManagedKind
  readonly id: string
  readonly error: FieldError
}

interface UserError extends FieldError {
  readonly user: string
}

/** What is judged: who uses it, by the names of the fleet, and what would be wrong with one of them. */
interface Question {
  /** Of the rows that have to be looked at. */
  readonly rowsWith: string
  /** Of the endpoints. */
  readonly endpointsWith: string
  errorsOf(user: string, driver: DriverInUse): UserError[]
}

/** So many users are judged before others get their turn: some milliseconds. */
const judgedAtOnce = 500
/** More than that would only repeat that it is wrong. */
const mostErrors = 100

/** The name that the running fleet has for it. */
function nameOf({ kind, id }: Used): string {
  return kind === 'Credential' ? credentialName(id) : jobTypeUse(id)
}

export class ResourceUse {
  readonly #options: ResourceUseOptions
  readonly #judgements = new Set<Judgement>()
  /** The endpoints by the names of what they use; null when endpoints have changed since. */
  #endpointsWith: Map<string, string[]> | null = null

  constructor(options: ResourceUseOptions) {
    this.#options = options
  }

  /** A resource is another one from now on; null: it is gone. */
  noteWrite(kind: ManagedKind, id: string, written: ManagedResource | null): void {
    if (kind === 'NotificationEndpoint') this.#endpointsWith = null
    for (const judgement of this.#judgements) judgement.noteWrite(kind, id, written)
  }

  /** What is in force and refers to it, each as kind and id. */
  *usersOf(used: Used): Generator<string> {
    const { fleet, drivers, endpoints } = this.#options
    const name = nameOf(used)
    this.#endpointsWith ??= byUsed(endpoints(), drivers)
    for (const endpoint of this.#endpointsWith.get(name) ?? []) yield userOf('NotificationEndpoint', endpoint)
    if (!fleet.loaded) return
    for (const row of fleet.rowsWithCredential(name)) yield userOf('Monitor', fleet.idOf(row))
  }

  /** The same, with monitors that are being committed. */
  *allUsersOf(used: Used): Generator<string> {
    yield* this.usersOf(used)
    const { drivers, pending } = this.#options
    const name = nameOf(used)
    for (const { id, spec } of pending())
      if (driversOfMonitor(spec, drivers).some((driver) => usedNames(...driver).includes(name)))
        yield userOf('Monitor', id)
  }

  /** What a value would be wrong for, of all that takes it now. */
  async misfits(id: string, value: string): Promise<Misfit[]> {
    using judgement = await this.judgeValue(id, value)
    return judgement.misfits()
  }

  /** What a version of a job type would be wrong for, of all that uses it now. */
  async misfitsOfJobType(jobType: JobTypeInForce): Promise<Misfit[]> {
    using judgement = await this.judgeJobType(jobType)
    return judgement.misfits()
  }

  /**
   * Holds a new value against every field that takes it and is not secret; one of several lines against secret fields
   * too, of which most take only one line.
   */
  judgeValue(id: string, value: string): Promise<Judgement> {
    const { credentialValue } = this.#options
    const readValue = (name: string) => {
      const named = credentialIdOf(name)
      return named === id ? value : named === null ? null : credentialValue(named)
    }
    const name = nameOf({ kind: 'Credential', id })
    return this.#judge({
      rowsWith: isOneLine(value) ? openUse(name) : name,
      endpointsWith: name,
      errorsOf: (user, { shape, config, pointer }) =>
        shape === null
          ? []
          : valueMistakes(shape, config, readValue).map((mistake) => valueError(user, pointer, mistake)),
    })
  }

  /** Holds a new version of a job type against what is given to its jobs. */
  judgeJobType(jobType: JobTypeInForce): Promise<Judgement> {
    const name = nameOf({ kind: 'JobType', id: jobType.id })
    return this.#judge({
      rowsWith: name,
      endpointsWith: name,
      errorsOf: (user, driver) => jobTypeErrors(user, driver, jobType),
    })
  }

  async #judge(question: Question): Promise<Judgement> {
    const judgement = new Judgement(this.#options, question, () => this.#judgements.delete(judgement))
    for (const monitor of this.#options.pending()) judgement.noteWrite('Monitor', monitor.id, monitor)
    this.#judgements.add(judgement)
    await judgement.judgeAll()
    return judgement
  }
}

/** Its answer is asked for in the turn that writes: it knows of what was written while it was made. */
export class Judgement implements Disposable {
  readonly #options: ResourceUseOptions
  readonly #question: Question
  readonly #ended: () => void
  readonly #written = new Map<string, () => UserError[]>()
  readonly #errors: UserError[] = []

  constructor(options: ResourceUseOptions, question: Question, ended: () => void) {
    this.#options = options
    this.#question = question
    this.#ended = ended
  }

  [Symbol.dispose](): void {
    this.#ended()
  }

  noteWrite(kind: ManagedKind, id: string, written: ManagedResource | null): void {
    const user = userOf(kind, id)
    if (written?.kind === 'Monitor')
      this.#written.set(user, () => this.#errorsOf(user, this.#driversOfMonitor(written as Monitor)))
    else if (written?.kind === 'NotificationEndpoint')
      this.#written.set(user, () => this.#errorsOf(user, this.#driversOfEndpoint(written as Endpoint)))
    else this.#written.set(user, () => [])
  }

  async judgeAll(): Promise<void> {
    const { fleet, drivers, endpoints } = this.#options
    const { rowsWith, endpointsWith } = this.#question
    for (const endpoint of endpoints())
      if (usedNames(endpoint.spec, drivers.notifiers).includes(endpointsWith))
        this.#take(userOf(endpoint.kind, endpoint.id), this.#driversOfEndpoint(endpoint))
    if (!fleet.loaded) return
    // All at once: the chain may change while others have their turn.
    const rows = [...fleet.rowsWithCredential(rowsWith)]
    for (const [index, row] of rows.entries()) {
      if (this.#errors.length >= mostErrors) return
      if (index % judgedAtOnce === judgedAtOnce - 1) await afterOthers()
      // One that left meanwhile, and one that took its row, were noted.
      if (fleet.has(row)) this.#take(userOf('Monitor', fleet.idOf(row)), this.#driversOfRow(row))
    }
  }

  /** What would be wrong, each as a mistake of what is written. */
  errors(): FieldError[] {
    return this.misfits().map(({ error }) => error)
  }

  /** The same, each with the resource that it is wrong for. */
  misfits(): Misfit[] {
    const earlier = this.#errors.filter(({ user }) => !this.#written.has(user))
    const since = this.#written.values().flatMap((errors) => errors())
    return [...earlier, ...since]
      .slice(0, mostErrors)
      .map(({ user, ...error }) => ({ ...resourceOf(user), error }))
  }

  #take(user: string, drivers: Iterable<DriverInUse>): void {
    this.#errors.push(...this.#errorsOf(user, drivers))
  }

  #errorsOf(user: string, drivers: Iterable<DriverInUse>): UserError[] {
    return [...drivers].flatMap((driver) => this.#question.errorsOf(user, driver))
  }

  *#driversOfRow(row: number): Generator<DriverInUse> {
    const { fleet, drivers } = this.#options
    const config = JSON.parse(new PackedReader(fleet.definition.configs).get(row))
    yield inUse('check', { type: fleet.policyOf(row).type, config }, drivers.checks)
    const recovery = fleet.recoveryOf(row)
    if (recovery !== null) yield inUse('recovery', recovery, drivers.recoveries)
  }

  *#driversOfMonitor({ spec }: Monitor): Generator<DriverInUse> {
    const { checks, recoveries } = this.#options.drivers
    yield inUse('check', runningDriver(spec.check.driver, checks), checks)
    if (spec.recovery !== undefined)
      yield inUse('recovery', runningDriver(spec.recovery.driver, recoveries), recoveries)
  }

  *#driversOfEndpoint({ spec }: Endpoint): Generator<DriverInUse> {
    const { notifiers } = this.#options.drivers
    yield inUse('notification', runningDriver(spec, notifiers), notifiers)
  }
}

const pointers: Readonly<Record<JobKind, string>> = {
  check: '/spec/check/driver',
  recovery: '/spec/recovery/driver',
  notification: '/spec',
}

function inUse(
  kind: JobKind,
  { type, config }: { readonly type: string; readonly config: object },
  shapes: Shapes,
): DriverInUse {
  return { kind, type, config, shape: shapeOf(shapes, type), pointer: pointers[kind] }
}

const nouns: Readonly<Record<ManagedKind, string>> = {
  Monitor: 'monitor',
  NotificationEndpoint: 'notification-endpoint',
  NotificationGroup: 'notification-group',
  Credential: 'credential',
  JobType: 'job-type',
}

function userOf(kind: ManagedKind, id: string): string {
  return `${nouns[kind]}/${id}`
}

/** The resource that userOf has named. */
function resourceOf(user: string): Pick<Misfit, 'kind' | 'id'> {
  const noun = user.slice(0, user.indexOf('/'))
  const kind = (Object.keys(nouns) as ManagedKind[]).find((one) => nouns[one] === noun) ?? 'Monitor'
  return { kind, id: user.slice(noun.length + 1) }
}

function valueError(user: string, pointer: string, { path, message, expected }: ValueMistake): UserError {
  const field = '/spec/value'
  if (expected === null) {
    const place = `${pointer}${jsonPointer(['config', ...path])}`
    return {
      user,
      field,
      reason: 'rule',
      message: `would make ${user} invalid at ${place}: ${withoutStop(message)}`,
    }
  }
  const place = `${pointer}${jsonPointer(['credentialRefs', path.join('.')])}`
  return {
    user,
    field,
    reason: 'rule',
    message: `does not fit ${user} at ${place}; expected: ${withoutStop(expected)}`,
  }
}

/** The contract's messages are the rest of a sentence. */
function withoutStop(text: string): string {
  return text.replace(/\.$/, '')
}

function jobTypeErrors(
  user: string,
  { kind, type, config, pointer }: DriverInUse,
  jobType: JobTypeInForce,
): UserError[] {
  if (type !== externalType) return []
  const { jobType: id, parameters } = config as ExternalConfig
  if (id !== jobType.id) return []
  if (kind !== jobType.kind) {
    const message = `must stay ${kind} while ${user} uses it`
    return [{ user, field: '/spec/kind', reason: 'rule', message }]
  }
  return jobType.parameters.mistakes(parameters).map((mistake) => ({
    user,
    field: '/spec/parameterSchema',
    reason: 'rule',
    message: `does not fit ${user} at ${pointer}/config${mistake.pointer}, which ${mistake.message}`,
  }))
}

function byUsed(endpoints: Iterable<Endpoint>, { notifiers }: DriverShapes): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const { id, spec } of endpoints)
    for (const name of usedNames(spec, notifiers)) found.set(name, [...(found.get(name) ?? []), id])
  return found
}
