// simulation/oracle/action-rules.ts: the life of every action, from what is on disk and from the calls that were made:
// committed before it has an effect, started once, never replayed, one recovery per episode, ended in the end.
import {
  type Action,
  isOpen,
  isUnknown,
  type PageNews,
} from '@pulseward/server/internal/deciding/actions/action.ts'
import type { CommitBatch } from '@pulseward/server/internal/store/store.ts'
import type { Findings } from './findings.ts'
import type { Scene } from './scene.ts'

const legal: Readonly<Record<Action['state'], readonly Action['state'][]>> = {
  queued: ['queued', 'started', 'cancelled', 'failed'],
  started: ['started', 'succeeded', 'failed', 'unknown'],
  succeeded: ['succeeded'],
  failed: ['failed'],
  unknown: ['unknown'],
  cancelled: ['cancelled'],
}

export class ActionRules {
  readonly #scene: Scene
  readonly #findings: Findings
  readonly #actions = new Map<string, Action>()
  readonly #open = new Map<string, Action>()
  readonly #ofMonitor = new Map<string, string[]>()
  readonly #startedIn = new Map<string, number>()
  readonly #called = new Set<string>()
  readonly #busyTargets = new Map<string, string>()
  readonly #recoveryOf = new Map<string, string>()
  /** Recoveries that were requested by hand. */
  readonly #byHand = new Set<string>()
  /** Rejected for now and not retried yet, by content and destination. */
  readonly #retryable = new Map<string, number>()
  /** Messages of pages that were decided, each with its destination. */
  readonly #paged = new Set<string>()
  #unknown = 0

  constructor(scene: Scene, findings: Findings) {
    this.#scene = scene
    this.#findings = findings
  }

  get unknownCount(): number {
    return this.#unknown
  }

  actionOf(id: string): Action | undefined {
    return this.#actions.get(id)
  }

  open(): Iterable<Action> {
    return this.#open.values()
  }

  /** Including those that have ended. */
  *ofMonitor(monitorId: string): Iterable<Action> {
    for (const id of this.#ofMonitor.get(monitorId) ?? []) yield this.#actions.get(id)!
  }

  processStarted(): void {
    this.#busyTargets.clear()
  }

  /**
   * The process has taken over everything that the previous one left. isOfWorker: an external worker has the
   * action and may still report.
   */
  takenOver(isOfWorker: (actionId: string) => boolean): void {
    for (const { id, state } of this.#open.values()) {
      if (state === 'started' && this.#startedIn.get(id) !== this.#scene.running.number && !isOfWorker(id))
        this.#findings.note('3 unknown', `the action ${id} was in flight in a crash and is not unknown`)
    }
  }

  /** The process has stopped as requested: it has waited for all answers. */
  stopped(isOfWorker: (actionId: string) => boolean): void {
    for (const { id, state } of this.#open.values())
      if (state === 'started' && !isOfWorker(id))
        this.#findings.note('orderly stop', `the outcome of the action ${id} was not stored`)
  }

  written({ actions, events }: CommitBatch): void {
    for (const { type, actionId } of events)
      if (type === 'control_recover_requested' && actionId !== null) this.#byHand.add(actionId)
    for (const action of actions) {
      const before = this.#actions.get(action.id)
      this.#checkChange(before, action)
      if (before === undefined) this.#checkNew(action)
      this.#actions.set(action.id, action)
      const wasUnknown = before !== undefined && isUnknown(before)
      if (isUnknown(action) !== wasUnknown) this.#unknown += wasUnknown ? -1 : 1
      if (action.state === 'started' && before?.state !== 'started')
        this.#startedIn.set(action.id, this.#scene.running.number)
      if (isOpen(action)) this.#open.set(action.id, action)
      else if (before === undefined || isOpen(before)) this.#ended(action)
    }
  }

  called(actionId: string, what: Partial<Action>): void {
    const action = this.#actions.get(actionId)
    if (action === undefined || action.state !== 'started')
      this.#findings.note(
        '1 commit before effect',
        `the action ${actionId} is carried out while the disk says ${action?.state ?? 'nothing'} of it`,
      )
    if (this.#called.has(actionId))
      this.#findings.note('2 started once', `the action ${actionId} is carried out a second time`)
    this.#called.add(actionId)
    for (const [name, value] of Object.entries(what)) {
      if (action !== undefined && action[name as keyof Action] !== value)
        this.#findings.note(
          '1 commit before effect',
          `the action ${actionId} is carried out with another ${name} than was committed`,
        )
    }
  }

  recoveryCalled(actionId: string, target: string): void {
    const other = this.#busyTargets.get(target)
    if (other !== undefined)
      this.#findings.note('recovery budget', `${actionId} and ${other} act on ${target} at the same time`)
    this.#busyTargets.set(target, actionId)
  }

  answered(actionId: string): void {
    for (const [target, busyWith] of this.#busyTargets)
      if (busyWith === actionId) this.#busyTargets.delete(target)
  }

  #checkChange(before: Action | undefined, action: Action): void {
    const { id, state } = action
    if (before === undefined) return
    if (!legal[before.state].includes(state)) {
      const invariant = before.state === 'unknown' ? '3 unknown' : '2 started once'
      this.#findings.note(invariant, `the action ${id} was ${before.state} and becomes ${state}`)
    } else if (action.revision <= before.revision)
      this.#findings.note('2 started once', `the revision of the action ${id} does not rise`)
  }

  #checkNew(action: Action): void {
    const { id, kind, episodeId, attempt, monitorId, color, endpoint, page } = action
    const known = this.#ofMonitor.get(monitorId ?? '')
    if (known === undefined) this.#ofMonitor.set(monitorId ?? '', [id])
    else known.push(id)
    if (page !== undefined && attempt === 1) this.#checkPage(action, page)
    for (const other of this.#open.values()) {
      if (page !== undefined || other.page !== undefined) break
      const isSame = other.monitorId === monitorId && other.color === color && other.endpoint === endpoint
      if (isSame && kind === 'code' && isOpen(action))
        this.#findings.note('one open action', `${other.id} and ${id} are open for the same color and place`)
    }
    if (kind === 'intervention') this.#checkRecovery(action, episodeId!)
    else if (attempt > 1) this.#checkRetry(action)
  }

  /** A step goes to an endpoint once, and so does its acknowledgement and the end of its page. */
  #checkPage({ id, endpoint }: Action, news: PageNews): void {
    const { page, stage, start, round, step, person } = news
    // Pages that somebody has missed are told of under the last of them, at the end of every night.
    if (stage === 'missed' || stage === 'handover') return
    const place = { step: `${start} ${round} ${step}`, nobody: `${start} ${round} ${step}` }
    const of = stage === 'ended' ? '' : stage === 'acknowledged' ? `${start}` : place[stage]
    const key = `${page} ${stage} ${of} to ${endpoint}`
    if (this.#paged.has(key))
      this.#findings.note('a step once', `${id} is ${key} for the second time (${person ?? 'nobody'})`)
    this.#paged.add(key)
  }

  #checkRecovery({ id, attempt }: Action, episodeId: string): void {
    const first = this.#recoveryOf.get(episodeId)
    const isOneTooMany = first !== undefined && !this.#byHand.has(id)
    if (isOneTooMany || attempt !== 1)
      this.#findings.note('one recovery an episode', `${id} follows ${first} in the episode ${episodeId}`)
    this.#recoveryOf.set(episodeId, id)
  }

  #checkRetry(action: Action): void {
    const key = retryKey(action, action.attempt - 1)
    const left = this.#retryable.get(key) ?? 0
    if (left === 0)
      this.#findings.note(
        '3 unknown',
        `attempt ${action.attempt}, ${action.id}, follows no rejection (${key})`,
      )
    this.#retryable.set(key, left - 1)
  }

  #ended(action: Action): void {
    this.#open.delete(action.id)
    if (action.state !== 'failed' || action.outcome !== 'rejected') return
    const key = retryKey(action, action.attempt)
    this.#retryable.set(key, (this.#retryable.get(key) ?? 0) + 1)
  }
}

/** What a retry has in common with the original; an episode may be added to a warning's yellow meanwhile. */
function retryKey({ monitorId, color, endpoint, cause, page }: Action, attempt: number): string {
  const of =
    page === undefined ? '' : ` of ${page.page} ${page.stage} ${page.start} ${page.round} ${page.step}`
  return `${monitorId} ${color} ${cause} to ${endpoint}${of}, attempt ${attempt}`
}
