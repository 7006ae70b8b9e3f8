// managing/resource-use.ts: what uses a credential or a job type of v2, and whether another value, or another version, would
// still fit all of it. Monitors are found by the fleet's own chains, so that nothing here walks over the fleet; those that
// are being committed, and endpoints, are few.
import { setImmediate as afterOthers } from 'node:timers/promises'
import { v2 } from '@pulseward/contract'
import { jobOf } from '../config/external-driver.ts'
import { type ValueMistake, valueMistakes } from '../config/fleet-file/credential-values.ts'
import { credentialIdOf, credentialName, jobTypeUse, openUse } from '../config/fleet-file/credentials.ts'
import type { DriverShape, DriverShapes } from '../config/fleet-file/schema.ts'
import type { FieldError } from '../config/shape/explain.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { runningDriver, shapeOf, usedNames } from '../kinds/driver-config.ts'
import type { JobTypeInForce } from '../kinds/job-type-in-force.ts'
import type { DriverCategory, ManagedKind } from '../kinds/kind.ts'
import { kindOf } from '../kinds/kind-table.ts'
import type { ManagedResource } from '../kinds/managed-resource.ts'
import { jsonPointer } from '../kinds/monitor-document.ts'
import { placedDrivers, pointerOf, shapesOf } from '../kinds/placed-driver.ts'
import { PackedReader } from '../platform/packed-strings.ts'
import { isOneLine } from '../platform/schema.ts'

export interface ResourceUseOptions {
  readonly fleet: Fleet
  readonly drivers: DriverShapes
  /** All of a kind; of monitors those that are being committed. */
  readonly held: (kind: ManagedKind) => Iterable<ManagedResource>
  readonly credentialValue: (id: string) => string | null
}

/** What can be used. */
export interface Used {
  readonly kind: 'Credential' | 'JobType'
  readonly id: string
}

/** A driver with its options as the running fleet has them. */
interface DriverInUse {
  readonly category: DriverCategory
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
  /** Of other resources. */
  readonly othersWith: string
  errorsOf(user: string, driver: DriverInUse): UserError[]
}

/** So many users are judged before others get their turn: some milliseconds. */
const judgedAtOnce = 500
/** More than that would only repeat that it is wrong. */
const mostErrors = 100

/** Kinds with drivers, besides monitors. */
const others = v2.resourceKinds.filter((kind) => kind !== 'Monitor' && kindOf(kind).drivers.length > 0)

/** The name that the running fleet has for it. */
function nameOf({ kind, id }: Used): string {
  return kind === 'Credential' ? credentialName(id) : jobTypeUse(id)
}

export class ResourceUse {
  readonly #options: ResourceUseOptions
  readonly #judgements = new Set<Judgement>()
  /** Those that are no monitors, by the names of what they use; null when some have changed since. */
  #othersWith: Map<string, string[]> | null = null

  constructor(options: ResourceUseOptions) {
    this.#options = options
  }

  /** A resource is another one from now on; null: it is gone. */
  noteWrite(kind: ManagedKind, id: string, written: ManagedResource | null): void {
    if (others.includes(kind)) this.#othersWith = null
    for (const judgement of this.#judgements) judgement.noteWrite(kind, id, written)
  }

  /** What is in force and refers to it, each as kind and id. */
  *usersOf(used: Used): Generator<string> {
    const { fleet } = this.#options
    const name = nameOf(used)
    this.#othersWith ??= this.#byUsed()
    yield* this.#othersWith.get(name) ?? []
    if (!fleet.loaded) return
    for (const row of fleet.rowsWithCredential(name)) yield userOf('Monitor', fleet.idOf(row))
  }

  /** The same, with monitors that are being committed. */
  *allUsersOf(used: Used): Generator<string> {
    yield* this.usersOf(used)
    const { held, drivers } = this.#options
    const name = nameOf(used)
    for (const monitor of held('Monitor'))
      if (namesUsedBy(monitor, drivers).includes(name)) yield userOf('Monitor', monitor.id)
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
      othersWith: name,
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
    this.#written.set(user, () =>
      written === null ? [] : this.#errorsOf(user, driversInUse(written, this.#options.drivers)),
    )
  }

  async judgeAll(): Promise<void> {
    const { fleet, drivers, held } = this.#options
    const { rowsWith, othersWith } = this.#question
    for (const resource of others.flatMap((kind) => [...held(kind)]))
      if (namesUsedBy(resource, drivers).includes(othersWith))
        this.#take(userOf(resource.kind, resource.id), driversInUse(resource, drivers))
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

/** By the names that the running fleet has for it. */
function namesUsedBy({ kind, spec }: ManagedResource, drivers: DriverShapes): string[] {
  return placedDrivers(kindOf(kind), spec, drivers).flatMap(({ driver, shapes }) => usedNames(driver, shapes))
}

function userOf(kind: ManagedKind, id: string): string {
  return `${v2.kinds[kind].noun}/${id}`
}

/** The resource that userOf has named. */
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

/** The contract's messages are the rest of a sentence. */
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
