// managing/credential-use.ts: what takes values from a credential of v2, and whether another value would still fit all of
// it. Monitors are found by the fleet's own chains, so that nothing here walks over the fleet; those that are being
// committed, and endpoints, are few.
import { setImmediate as afterOthers } from 'node:timers/promises'
import { type ValueMistake, valueMistakes } from '../config/fleet-file/credential-values.ts'
import { credentialIdOf, credentialName, openUse } from '../config/fleet-file/credentials.ts'
import type { DriverShape, DriverShapes } from '../config/fleet-file/schema.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { PackedReader } from '../platform/packed-strings.ts'
import { configWithReferences, credentialsOf } from './driver-config.ts'
import { asMonitor, type ManagedKind, type ManagedResource, type SpecOf } from './managed-resource.ts'
import { jsonPointer, monitorDocument } from './monitor-document.ts'
import { credentialsOfMonitor, type FieldError } from './validate-resource.ts'

type Endpoint = ManagedResource<SpecOf['NotificationEndpoint']>
type Monitor = ManagedResource<SpecOf['Monitor']>

export interface CredentialUseOptions {
  readonly fleet: Fleet
  readonly drivers: DriverShapes
  readonly endpoints: () => Iterable<Endpoint>
  /** Monitors that are being committed. */
  readonly pending: () => Iterable<Monitor>
  readonly credentialValue: (id: string) => string | null
}

/** Options of a driver as the running fleet has them. */
interface DriverOptions {
  readonly shape: DriverShape | undefined
  readonly config: object
  /** Where the driver stands in its resource. */
  readonly pointer: string
}

/** What takes the value, and what would be wrong with it there. */
export interface Misfit {
  readonly kind: ManagedKind
  readonly id: string
  readonly error: FieldError
}

interface UserError extends FieldError {
  readonly user: string
}

/** So many users are judged before others get their turn: some milliseconds. */
const judgedAtOnce = 500
/** More than that would only repeat that the value is wrong. */
const mostErrors = 100

export class CredentialUse {
  readonly #options: CredentialUseOptions
  readonly #judgements = new Set<Judgement>()
  /** The endpoints of each credential; null when endpoints have changed since. */
  #endpointsOf: Map<string, string[]> | null = null

  constructor(options: CredentialUseOptions) {
    this.#options = options
  }

  /** A resource is another one from now on; null: it is gone. */
  noteWrite(kind: ManagedKind, id: string, written: ManagedResource | null): void {
    if (kind === 'NotificationEndpoint') this.#endpointsOf = null
    for (const judgement of this.#judgements) judgement.noteWrite(kind, id, written)
  }

  /** What is in force and refers to it, each as kind and id. */
  *usersOf(id: string): Generator<string> {
    const { fleet, endpoints } = this.#options
    this.#endpointsOf ??= byCredential(endpoints())
    for (const endpoint of this.#endpointsOf.get(id) ?? []) yield userOf('NotificationEndpoint', endpoint)
    if (!fleet.loaded) return
    for (const row of fleet.rowsWithCredential(credentialName(id))) yield userOf('Monitor', fleet.idOf(row))
  }

  /** The same, with monitors that are being committed. */
  *allUsersOf(id: string): Generator<string> {
    yield* this.usersOf(id)
    for (const monitor of this.#options.pending())
      if (credentialsOfMonitor(monitor.spec).includes(id)) yield userOf('Monitor', monitor.id)
  }

  /** What a value would be wrong for, of all that takes it now. */
  async misfits(id: string, value: string): Promise<Misfit[]> {
    using judgement = await this.judge(id, value)
    return judgement.misfits()
  }

  /** Holds a new value against every field that takes it and is not secret. */
  async judge(id: string, value: string): Promise<Judgement> {
    const { pending } = this.#options
    const judgement = new Judgement(this.#options, id, value, () => this.#judgements.delete(judgement))
    for (const monitor of pending()) judgement.noteWrite('Monitor', monitor.id, monitor)
    this.#judgements.add(judgement)
    await judgement.judgeAll()
    return judgement
  }
}

/** Its answer is asked for in the turn that writes the value: it knows of what was written while it was made. */
class Judgement implements Disposable {
  readonly #options: CredentialUseOptions
  readonly #id: string
  readonly #value: string
  readonly #ended: () => void
  readonly #written = new Map<string, () => UserError[]>()
  readonly #errors: UserError[] = []

  constructor(options: CredentialUseOptions, id: string, value: string, ended: () => void) {
    this.#options = options
    this.#id = id
    this.#value = value
    this.#ended = ended
  }

  [Symbol.dispose](): void {
    this.#ended()
  }

  noteWrite(kind: ManagedKind, id: string, written: ManagedResource | null): void {
    const user = userOf(kind, id)
    if (written?.kind === 'Monitor')
      this.#written.set(user, () => this.#errorsOf(user, this.#driversOfMonitor(written)))
    else if (written?.kind === 'NotificationEndpoint')
      this.#written.set(user, () => this.#errorsOf(user, this.#driversOfEndpoint(written as Endpoint)))
    else this.#written.set(user, () => [])
  }

  async judgeAll(): Promise<void> {
    const { fleet, endpoints } = this.#options
    for (const endpoint of endpoints())
      if (credentialsOf(endpoint.spec).includes(this.#id))
        this.#take(userOf(endpoint.kind, endpoint.id), this.#driversOfEndpoint(endpoint))
    // All at once: the chain may change while others have their turn.
    const rows = [...fleet.rowsWithCredential(openUse(credentialName(this.#id)))]
    for (const [index, row] of rows.entries()) {
      if (this.#errors.length >= mostErrors) return
      if (index % judgedAtOnce === judgedAtOnce - 1) await afterOthers()
      // One that left meanwhile, and one that took its row, were noted.
      if (fleet.has(row)) this.#take(userOf('Monitor', fleet.idOf(row)), this.#driversOfRow(row))
    }
  }

  /** What would be wrong with the value, each as a mistake of the credential. */
  errors(): FieldError[] {
    return this.misfits().map(({ error }) => error)
  }

  /** The same, each with the resource that the value is wrong for. */
  misfits(): Misfit[] {
    const earlier = this.#errors.filter(({ user }) => !this.#written.has(user))
    const since = this.#written.values().flatMap((errors) => errors())
    return [...earlier, ...since]
      .slice(0, mostErrors)
      .map(({ user, ...error }) => ({ ...resourceOf(user), error }))
  }

  #take(user: string, drivers: Iterable<DriverOptions>): void {
    this.#errors.push(...this.#errorsOf(user, drivers))
  }

  #errorsOf(user: string, drivers: Iterable<DriverOptions>): UserError[] {
    const { credentialValue } = this.#options
    const readValue = (name: string) => {
      const id = credentialIdOf(name)
      return id === this.#id ? this.#value : id === null ? null : credentialValue(id)
    }
    return [...drivers].flatMap(({ shape, config, pointer }) =>
      shape === undefined
        ? []
        : valueMistakes(shape, config, readValue).map((mistake) => userError(user, pointer, mistake)),
    )
  }

  *#driversOfRow(row: number): Generator<DriverOptions> {
    const { fleet, drivers } = this.#options
    const config = JSON.parse(new PackedReader(fleet.definition.configs).get(row))
    yield { shape: drivers.checks[fleet.policyOf(row).type], config, pointer: checkPointer }
    const recovery = fleet.recoveryOf(row)
    if (recovery !== null)
      yield {
        shape: drivers.recoveries[recovery.type],
        config: recovery.config,
        pointer: recoveryPointer,
      }
  }

  *#driversOfMonitor(monitor: ManagedResource): Generator<DriverOptions> {
    const { drivers } = this.#options
    const { check, recovery } = monitorDocument(asMonitor(monitor))
    yield { shape: drivers.checks[check.type], config: check.config ?? {}, pointer: checkPointer }
    if (recovery !== undefined)
      yield {
        shape: drivers.recoveries[recovery.type],
        config: recovery.config ?? {},
        pointer: recoveryPointer,
      }
  }

  *#driversOfEndpoint({ spec }: Endpoint): Generator<DriverOptions> {
    const shape = this.#options.drivers.notifiers[spec.type]
    yield { shape, config: configWithReferences(spec), pointer: '/spec' }
  }
}

const checkPointer = '/spec/check/driver'
const recoveryPointer = '/spec/recovery/driver'

const nouns: Readonly<Record<ManagedKind, string>> = {
  Monitor: 'monitor',
  NotificationEndpoint: 'notification-endpoint',
  NotificationGroup: 'notification-group',
  Credential: 'credential',
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

function userError(user: string, pointer: string, { path, message, expected }: ValueMistake): UserError {
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

function byCredential(endpoints: Iterable<Endpoint>): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const { id, spec } of endpoints)
    for (const credential of credentialsOf(spec))
      found.set(credential, [...(found.get(credential) ?? []), id])
  return found
}
