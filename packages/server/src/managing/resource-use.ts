// managing/resource-use.ts: what uses a credential or a job type of v2, and whether another value, or another
// version, would still fit all of it. Monitors are found by the fleet's own chains, so nothing here walks
// over the fleet; uncommitted monitors and endpoints are few.
import { setImmediate as afterOthers } from 'node:timers/promises'
import { v2 } from '@pulseward/contract'
import { jobOf } from '../config/external-driver.ts'
import { referenceIn } from '../config/fleet-file/credential-places.ts'
import { type ValueMistake, valueMistakes } from '../config/fleet-file/credential-values.ts'
import { credentialIdOf, credentialName, jobTypeUse, openUse } from '../config/fleet-file/credentials.ts'
import type { DriverShape, DriverShapes } from '../config/fleet-file/schema.ts'
import { isReported } from '../config/push-check.ts'
import type { FieldError } from '../config/shape/explain.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { runningDriver, shapeOf, usedNames } from '../kinds/driver-config.ts'
import type { JobTypeInForce } from '../kinds/job-type-in-force.ts'
import type { DriverCategory, ManagedKind } from '../kinds/kind.ts'
import { kindOf } from '../kinds/kind-table.ts'
import type { ManagedResource } from '../kinds/managed-resource.ts'
import { jsonPointer } from '../kinds/monitor-document.ts'
import { userOf } from '../kinds/named-in-fleet.ts'
import { placedDrivers, pointerOf, shapesOf } from '../kinds/placed-driver.ts'
import { keyFields, ownerInWords } from '../kinds/push-keys.ts'
import { PackedReader } from '../platform/packed-strings.ts'
import { isOneLine } from '../platform/schema.ts'

export interface ResourceUseOptions {
  readonly fleet: Fleet
  readonly drivers: DriverShapes
  /** All of a kind; for monitors, those being committed. */
  readonly held: (kind: ManagedKind) => Iterable<ManagedResource>
  readonly credentialValue: (id: string) => string | null
  /** The monitor whose push key a text is. */
  readonly monitorWithKey: (key: string) => string | null
}

/** What can be used. */
export interface Used {
  readonly kind: 'Credential' | 'JobType'
  readonly id: string
}

/** A driver with its options as in the running fleet. */
interface DriverInUse {
  readonly category: DriverCategory
  readonly type: string
  /** Null for a job type. */
  readonly shape: DriverShape | null
  readonly config: object
  /** The path of the driver in its resource. */
  readonly pointer: string
}

/** A user, and what would be wrong with it. */
export interface Misfit {
  readonly kind: ManagedKind
  readonly id: string
  readonly error: FieldError
}

interface UserError extends FieldError {
  readonly user: string
}

/** What is validated: the users, by names of the fleet, and what would be wrong with one of them. */
interface Question {
  /** The rows of the running fleet that have to be validated. */
  readonly rows: () => readonly number[]
  /** The name by which other resources are found. */
  readonly othersWith: string
  errorsOf(user: string, driver: DriverInUse): UserError[]
}

/** Users validated before yielding to other work: some milliseconds. */
const judgedAtOnce = 500
/** Further errors would only repeat that it is wrong. */
const mostErrors = 100

/** Kinds with drivers, besides monitors. */
const others = v2.resourceKinds.filter((kind) => kind !== 'Monitor' && kindOf(kind).drivers.length > 0)

/** Its name in the running fleet. */
function nameOf({ kind, id }: Used): string {
  return kind === 'Credential' ? credentialName(id) : jobTypeUse(id)
}

export class ResourceUse {
  readonly #options: ResourceUseOptions
  readonly #judgements = new Set<Judgement>()
  /** Users other than monitors, by the names of what they use; null if some have changed since. */
  #othersWith: Map<string, string[]> | null = null

  constructor(options: ResourceUseOptions) {
    this.#options = options
  }

  /** Notes a changed resource; null if it was deleted. */
  noteWrite(kind: ManagedKind, id: string, written: ManagedResource | null): void {
    if (others.includes(kind)) this.#othersWith = null
    for (const judgement of this.#judgements) judgement.noteWrite(kind, id, written)
  }

  /** Everything in force that refers to it, as kind and id. */
  *usersOf(used: Used): Generator<string> {
    const { fleet } = this.#options
    const name = nameOf(used)
    this.#othersWith ??= this.#byUsed()
    yield* this.#othersWith.get(name) ?? []
    if (!fleet.loaded) return
    for (const row of fleet.rowsWithCredential(name)) yield userOf('Monitor', fleet.idOf(row))
  }

  /** The same, including monitors that are being committed. */
  *allUsersOf(used: Used): Generator<string> {
    yield* this.usersOf(used)
    const { held, drivers } = this.#options
    const name = nameOf(used)
    for (const monitor of held('Monitor'))
      if (namesUsedBy(monitor, drivers).includes(name)) yield userOf('Monitor', monitor.id)
  }

  /** The present users that a value would not fit. */
  async misfits(id: string, value: string): Promise<Misfit[]> {
    using judgement = await this.judgeValue(id, value)
    return judgement.misfits()
  }

  /** The present users that a version of a job type would not fit. */
  async misfitsOfJobType(jobType: JobTypeInForce): Promise<Misfit[]> {
    using judgement = await this.judgeJobType(jobType)
    return judgement.misfits()
  }

  /**
   * Validates a new value against every non-secret field that takes it and every push key; a value of several
   * lines against all secret fields, most of which take only one line.
   */
  judgeValue(id: string, value: string): Promise<Judgement> {
    const { credentialValue, monitorWithKey } = this.#options
    const readValue = (name: string) => {
      const named = credentialIdOf(name)
      return named === id ? value : named === null ? null : credentialValue(named)
    }
    const name = nameOf({ kind: 'Credential', id })
    return this.#judge({
      rows: () => this.#rowsThatTake(name, value),
      othersWith: name,
      errorsOf(user, driver) {
        const { shape, config, pointer } = driver
        if (shape === null) return []
        const mistakes = valueMistakes(shape, config, readValue)
        if (mistakes.length > 0) return mistakes.map((mistake) => valueError(user, pointer, mistake))
        return keyErrors(user, driver, { name, readValue, monitorWithKey })
      },
    })
  }

  /** Validates a new version of a job type against the parameters of its jobs. */
  judgeJobType(jobType: JobTypeInForce): Promise<Judgement> {
    const name = nameOf({ kind: 'JobType', id: jobType.id })
    return this.#judge({
      rows: () => [...this.#options.fleet.rowsWithCredential(name)],
      othersWith: name,
      errorsOf: (user, driver) => jobTypeErrors(user, driver, jobType),
    })
  }

  async #judge(question: Question): Promise<Judgement> {
    const judgement = new Judgement(this.#options, question, () => this.#judgements.delete(judgement))
    for (const monitor of this.#options.held('Monitor')) judgement.noteWrite('Monitor', monitor.id, monitor)
    this.#judgements.add(judgement)
    await judgement.judgeAll()
    return judgement
  }

  #rowsThatTake(name: string, value: string): number[] {
    const { fleet } = this.#options
    const users = fleet.rowsWithCredential(name)
    if (!isOneLine(value)) return [...users]
    const withKey = [...users].filter((row) => isReported(fleet.policyOf(row).type))
    return [...new Set([...fleet.rowsWithCredential(openUse(name)), ...withKey])]
  }

  #byUsed(): Map<string, string[]> {
    const { held, drivers } = this.#options
    const found = new Map<string, string[]>()
    for (const kind of others)
      for (const resource of held(kind))
        for (const name of namesUsedBy(resource, drivers))
          found.set(name, [...(found.get(name) ?? []), userOf(kind, resource.id)])
    return found
  }
}

/** To be read in the turn that writes: it includes what was written while it was computed. */
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
    this.#written.set(user, () =>
      written === null ? [] : this.#errorsOf(user, driversInUse(written, this.#options.drivers)),
    )
  }

  async judgeAll(): Promise<void> {
    const { fleet, drivers, held } = this.#options
    const { rows, othersWith } = this.#question
    for (const resource of others.flatMap((kind) => [...held(kind)]))
      if (namesUsedBy(resource, drivers).includes(othersWith))
        this.#take(userOf(resource.kind, resource.id), driversInUse(resource, drivers))
    if (!fleet.loaded) return
    // A copy, since the chains may change while other work runs.
    for (const [index, row] of rows().entries()) {
      if (this.#errors.length >= mostErrors) return
      if (index % judgedAtOnce === judgedAtOnce - 1) await afterOthers()
      // A monitor that left meanwhile, or one that took its row, was noted separately.
      if (fleet.has(row)) this.#take(userOf('Monitor', fleet.idOf(row)), this.#driversOfRow(row))
    }
  }

  /** What would be wrong, as errors of the written resource. */
  errors(): FieldError[] {
    return this.misfits().map(({ error }) => error)
  }

  /** The same, each with the affected resource. */
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
    const recovery = fleet.recoveryOf(row)
    for (const place of kindOf('Monitor').drivers) {
      const { category } = place
      const driver =
        category === 'check'
          ? {
              type: fleet.policyOf(row).type,
              config: JSON.parse(new PackedReader(fleet.definition.configs).get(row)),
            }
          : recovery
      if (driver === null) continue
      const { type, config } = driver
      const shape = shapeOf(shapesOf(category, drivers), type)
      yield { category, type, config, shape, pointer: pointerOf(place) }
    }
  }
}

function driversInUse({ kind, spec }: ManagedResource, drivers: DriverShapes): DriverInUse[] {
  return placedDrivers(kindOf(kind), spec, drivers).map(({ category, driver, shapes, pointer }) => {
    const running = runningDriver(driver, shapes)
    return { category, ...running, shape: shapeOf(shapes, running.type), pointer }
  })
}

/** By their names in the running fleet. */
function namesUsedBy({ kind, spec }: ManagedResource, drivers: DriverShapes): string[] {
  return placedDrivers(kindOf(kind), spec, drivers).flatMap(({ driver, shapes }) => usedNames(driver, shapes))
}

/** The resource named by userOf. */
function resourceOf(user: string): Pick<Misfit, 'kind' | 'id'> {
  const noun = user.slice(0, user.indexOf('/'))
  const kind = v2.resourceKinds.find((one) => v2.kinds[one].noun === noun) ?? 'Monitor'
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

interface NewKey {
  /** The credential that gets the value. */
  readonly name: string
  readonly readValue: (name: string) => string | null
  readonly monitorWithKey: (key: string) => string | null
}

/** The value would be the key of two monitors, or both keys of one. */
function keyErrors(
  user: string,
  { type, config, pointer }: DriverInUse,
  { name, readValue, monitorWithKey }: NewKey,
): UserError[] {
  if (!isReported(type)) return []
  const { id } = resourceOf(user)
  const names = keyFields.map((field) => referenceIn((config as Record<string, unknown>)[field]))
  return keyFields.flatMap((field, index) => {
    const key = names[index] === name ? readValue(name) : null
    if (key === null) return []
    const isRepeated = names.some((other, at) => at !== index && other !== null && readValue(other) === key)
    const owner = isRepeated ? id : (monitorWithKey(key) ?? id)
    if (owner === id && !isRepeated) return []
    const place = `${pointer}${jsonPointer(['credentialRefs', field])}`
    const message = `does not fit ${user} at ${place}; it is the value of a key of ${ownerInWords(owner, id)}; give each its own`
    return [{ user, field: '/spec/value', reason: 'rule', message }]
  })
}

/** The contract's messages are the rest of a sentence, without a full stop. */
function withoutStop(text: string): string {
  return text.replace(/\.$/, '')
}

function jobTypeErrors(
  user: string,
  { category, type, config, pointer }: DriverInUse,
  jobType: JobTypeInForce,
): UserError[] {
  const job = jobOf({ type, config })
  if (job?.jobType !== jobType.id) return []
  if (category !== jobType.kind) {
    const message = `must stay ${category} while ${user} uses it`
    return [{ user, field: '/spec/kind', reason: 'rule', message }]
  }
  return jobType.parameters.mistakes(job.parameters).map((mistake) => ({
    user,
    field: '/spec/parameterSchema',
    reason: 'rule',
    message: `does not fit ${user} at ${pointer}/config${mistake.pointer}, which ${mistake.message}`,
  }))
}
