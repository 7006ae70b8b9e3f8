// deciding/reminders.ts: what a monitor is asked about without a check of its own: a child that waits for the check of
// a parent (when that check comes, or when the wait is over), and a red that is due again. Only monitors that wait are
// here, ordered by when they are due, so that a second in which nothing is due costs nothing however many wait.
import { DueHeap } from './actions/due-heap.ts'
import type { Health, Instant } from './health/health.ts'
import type { HealthRules } from './health/health-rules.ts'
import { repeatDueAt } from './health/on-reminder.ts'
import type { DependencyGraph } from './dependency-graph.ts'

/** A red that is due but may not be sent now (an ancestor is in trouble) is asked about again after this long. */
const askAgainMs = 10_000

type Topic = 'parent' | 'repeat'

interface Reminder {
  readonly topic: Topic
  readonly slot: number
  dueAt: Instant
  readonly sequence: number
}

export class Reminders {
  readonly #dependencies: DependencyGraph
  readonly #due = new DueHeap<Reminder>()
  /** The one that holds for each monitor; others in the heap are skipped. */
  readonly #current: Readonly<Record<Topic, Map<number, Reminder>>> = { parent: new Map(), repeat: new Map() }
  /** Children that wait, by each of their parents, and the other way round. */
  readonly #children = new Map<number, Set<number>>()
  readonly #parents = new Map<number, readonly number[]>()
  #checkedParents: number[] = []
  #sequence = 0

  constructor(dependencies: DependencyGraph) {
    this.#dependencies = dependencies
  }

  get size(): number {
    return this.#current.parent.size + this.#current.repeat.size
  }

  /** The monitor's health has changed. */
  note(slot: number, state: Health, rules: HealthRules): void {
    const { episode } = state
    if (episode?.withheld === 'ancestor_not_checked') this.#awaitParents(slot, episode.firstFailureAt)
    else this.#stopWaiting(slot)
    const dueAt = repeatDueAt(state, rules)
    if (dueAt === null) this.#current.repeat.delete(slot)
    else this.#remind('repeat', slot, dueAt)
  }

  forget(slot: number): void {
    this.#stopWaiting(slot)
    this.#current.repeat.delete(slot)
  }

  /** Of any monitor, and often: a check of it has ended. */
  checked(slot: number): void {
    if (this.#children.size > 0 && this.#children.has(slot)) this.#checkedParents.push(slot)
  }

  /** Children to ask again, because a parent was checked since the last call. */
  takeChildrenOfChecked(): Iterable<number> {
    if (this.#checkedParents.length === 0) return []
    const children = new Set(this.#checkedParents.flatMap((slot) => [...(this.#children.get(slot) ?? [])]))
    this.#checkedParents = []
    return children
  }

  /** Asks about everything that is due. Asking may change what is noted here. */
  askDue(now: Instant, ask: (topic: Topic, slot: number) => void): void {
    for (let next = this.#due.first; next !== undefined && next.dueAt <= now; next = this.#due.first) {
      this.#due.take()
      const current = this.#current[next.topic]
      if (current.get(next.slot) !== next) continue
      ask(next.topic, next.slot)
      if (current.get(next.slot) === next) this.#put({ ...next, dueAt: now + askAgainMs })
    }
  }

  /** The clock was set, and all instants with it. */
  move(stepMs: number): void {
    const isCurrent = (one: Reminder) => this.#current[one.topic].get(one.slot) === one
    this.#due.keep(isCurrent)
    for (const one of this.#due.values()) one.dueAt += stepMs
  }

  #awaitParents(slot: number, firstFailureAt: Instant): void {
    const { parents, longestIntervalMs } = this.#dependencies.parentsOf(slot)
    if (!this.#parents.has(slot)) this.#follow(slot, parents)
    this.#remind('parent', slot, firstFailureAt + longestIntervalMs)
  }

  #follow(slot: number, parents: readonly number[]): void {
    this.#parents.set(slot, parents)
    for (const parent of parents) {
      const children = this.#children.get(parent)
      if (children === undefined) this.#children.set(parent, new Set([slot]))
      else children.add(slot)
    }
  }

  #stopWaiting(slot: number): void {
    if (!this.#current.parent.delete(slot)) return
    for (const parent of this.#parents.get(slot) ?? []) {
      const children = this.#children.get(parent)!
      children.delete(slot)
      if (children.size === 0) this.#children.delete(parent)
    }
    this.#parents.delete(slot)
  }

  #remind(topic: Topic, slot: number, dueAt: Instant): void {
    if (this.#current[topic].get(slot)?.dueAt === dueAt) return
    this.#put({ topic, slot, dueAt, sequence: 0 })
  }

  #put(reminder: Reminder): void {
    const next = { ...reminder, sequence: this.#sequence++ }
    this.#current[reminder.topic].set(reminder.slot, next)
    this.#due.add(next)
  }
}
