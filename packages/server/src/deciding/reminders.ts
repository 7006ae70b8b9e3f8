// deciding/reminders.ts: monitors that have to be asked between their own checks: a child that waits for a parent's check
// (asked when that check ends, or when the wait is over), and a red that is due again. Only waiting monitors are here,
// ordered by due time, so a second in which nothing is due costs nothing, however many wait.
import { DueHeap } from '../platform/due-heap.ts'
import type { Decision } from './decision.ts'
import type { DependencyGraph } from './dependency-graph.ts'
import type { Health, HealthRules, Instant } from './health/health.ts'
import { repeatDueAt } from './health/on-time.ts'
import type { Turn } from './turn.ts'

/** A red that is due but may not be sent now (an ancestor is in trouble) is asked about again after this time. */
const askAgainMs = 10_000

type Topic = 'parent' | 'repeat'

const none: readonly never[] = []

interface Reminder {
  readonly topic: Topic
  readonly row: number
  dueAt: Instant
  readonly sequence: number
}

export class Reminders {
  readonly #dependencies: DependencyGraph
  readonly #due = new DueHeap<Reminder>()
  /** The current reminder of each monitor. Outdated ones in the heap are skipped. */
  readonly #current: Readonly<Record<Topic, Map<number, Reminder>>> = { parent: new Map(), repeat: new Map() }
  /** The waiting children by parent, and the parents that each of them waits for. */
  readonly #children = new Map<number, Set<number>>()
  readonly #parents = new Map<number, readonly number[]>()
  #sequence = 0

  constructor(dependencies: DependencyGraph) {
    this.#dependencies = dependencies
  }

  get size(): number {
    return this.#current.parent.size + this.#current.repeat.size
  }

  follow({ steps }: Decision): void {
    for (const { row, step, rules } of steps) this.#note(row, step.state, rules)
  }

  #note(row: number, state: Health, rules: HealthRules): void {
    const { episode } = state
    if (episode?.withheld === 'ancestor_not_checked') this.#awaitParents(row, episode.firstFailureAt)
    else this.#stopWaiting(row)
    const dueAt = repeatDueAt(state, rules)
    if (dueAt === null) this.#current.repeat.delete(row)
    else this.#remind('repeat', row, dueAt)
  }

  forget(row: number): void {
    this.#stopWaiting(row)
    this.#current.repeat.delete(row)
  }

  /** Checks of these monitors have ended: children that wait for one of them are asked again. */
  parentsChecked(turn: Turn, rows: Uint32Array): void {
    if (this.#children.size === 0) return
    const children = new Set<number>()
    for (const row of rows) for (const child of this.#children.get(row) ?? none) children.add(child)
    for (const row of children) ask(turn, 'parent', row)
  }

  /** The monitor's parents changed: it no longer has to wait, or waits for the new ones. */
  parentsChanged(turn: Turn, row: number, stateOf: (row: number) => Health): void {
    if (!this.#current.parent.has(row)) return
    this.#stopWaiting(row)
    ask(turn, 'parent', row)
    const { episode } = stateOf(row)
    if (episode?.withheld === 'ancestor_not_checked') this.#awaitParents(row, episode.firstFailureAt)
  }

  /** Asks about everything that is due. Asking may add and remove reminders. */
  askDue(turn: Turn): void {
    const { now } = turn
    for (let next = this.#due.first; next !== undefined && next.dueAt <= now; next = this.#due.first) {
      this.#due.take()
      const current = this.#current[next.topic]
      if (current.get(next.row) !== next) continue
      ask(turn, next.topic, next.row)
      if (current.get(next.row) === next) this.#put({ ...next, dueAt: now + askAgainMs })
    }
  }

  /** The clock was set: moves all instants. */
  move(stepMs: number): void {
    const isCurrent = (one: Reminder) => this.#current[one.topic].get(one.row) === one
    this.#due.keep(isCurrent)
    for (const one of this.#due.values()) one.dueAt += stepMs
  }

  #awaitParents(row: number, firstFailureAt: Instant): void {
    const { parents, longestIntervalMs } = this.#dependencies.parentsOf(row)
    if (!this.#parents.has(row)) this.#follow(row, parents)
    this.#remind('parent', row, firstFailureAt + longestIntervalMs)
  }

  #follow(row: number, parents: readonly number[]): void {
    this.#parents.set(row, parents)
    for (const parent of parents) {
      const children = this.#children.get(parent)
      if (children === undefined) this.#children.set(parent, new Set([row]))
      else children.add(row)
    }
  }

  #stopWaiting(row: number): void {
    if (!this.#current.parent.delete(row)) return
    for (const parent of this.#parents.get(row) ?? []) {
      const children = this.#children.get(parent)
      children?.delete(row)
      if (children?.size === 0) this.#children.delete(parent)
    }
    this.#parents.delete(row)
  }

  #remind(topic: Topic, row: number, dueAt: Instant): void {
    if (this.#current[topic].get(row)?.dueAt === dueAt) return
    this.#put({ topic, row, dueAt, sequence: 0 })
  }

  #put(reminder: Reminder): void {
    const next = { ...reminder, sequence: this.#sequence++ }
    this.#current[reminder.topic].set(reminder.row, next)
    this.#due.add(next)
  }
}

function ask(turn: Turn, topic: Topic, row: number): void {
  const kind = topic === 'parent' ? 'ancestor-checked' : 'repeat-due'
  turn.decide({ kind: 'monitor', row, input: { kind } })
}
