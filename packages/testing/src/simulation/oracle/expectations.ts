// simulation/oracle/expectations.ts: what the model says that the service must show, until the service has
// shown it. An event fulfils the first expectation that it matches; the record of a queued action is compared
// with the model's at the same time.
import type { Action } from '@pulseward/server/internal/deciding/actions/action.ts'
import type { CommitBatch, StoredEvent } from '@pulseward/server/internal/store/store.ts'
import type { Expected, ModelAction, ModelMonitor, Range } from '../model/monitor-state.ts'
import { service } from '../model/monitor-state.ts'
import type { ReferenceModel } from '../model/reference-model.ts'
import { count, type Tally } from '../tally.ts'
import type { Findings } from './findings.ts'
import type { Identities } from './model-identities.ts'
import { isSamePage, isSamePhase, pageDifferences } from './page-messages.ts'
import { delayDifference, reasonDifference, reasons } from './reason-rules.ts'

export interface ExpectationsOptions {
  readonly model: ReferenceModel
  readonly ids: Identities
  readonly findings: Findings
  readonly tally: Tally
  readonly cooldownMs: number
  readonly pageFailed: (action: ModelAction) => void
  /** Something is queued, and when it may start. */
  readonly pageQueued: (action: ModelAction, notBefore: number) => void
}

export class Expectations {
  /** Monitors with expectations or events since their statuses were last compared. */
  readonly touched = new Set<string>()
  readonly #model: ReferenceModel
  readonly #ids: Identities
  readonly #findings: Findings
  readonly #tally: Tally
  readonly #cooldownMs: number
  /** A notification of a page will not be sent, and is not withdrawn either. */
  readonly #pageFailed: ExpectationsOptions['pageFailed']
  readonly #pageQueued: ExpectationsOptions['pageQueued']
  #expected: Expected[] = []

  constructor(options: ExpectationsOptions) {
    const { model, ids, findings, tally, cooldownMs, pageFailed, pageQueued } = options
    this.#model = model
    this.#ids = ids
    this.#findings = findings
    this.#tally = tally
    this.#cooldownMs = cooldownMs
    this.#pageFailed = pageFailed
    this.#pageQueued = pageQueued
  }

  add(id: string, expected: readonly Expected[]): void {
    this.touched.add(id)
    this.#expected.push(...expected)
  }

  /** The process is gone, and with it what it still had to show. */
  forget(): void {
    this.#expected = []
    this.touched.clear()
  }

  /** Removes the expectation that the event matches; false if there is none. */
  fulfil(event: StoredEvent, batch: CommitBatch): boolean {
    const index = this.#expected.findIndex(
      (one) =>
        one.monitorId === (event.monitorId ?? service) &&
        one.type === event.type &&
        this.#isSame(one, event, actionIn(batch, event.actionId)),
    )
    const one = this.#expected[index]
    if (one === undefined) return false
    this.#expected.splice(index, 1)
    this.#compareReason(one, event)
    if (one.type === 'incident_opened')
      this.#ids.bindIncident(one.incident, event.incidentId!, this.#findings)
    if (one.type === 'action_queued') {
      this.#ids.bindAction(one.action.key, event.actionId!)
      const record = actionIn(batch, event.actionId)
      if (record === undefined) this.#note(`${event.actionId} is queued without a record`)
      else {
        this.#compareQueued(one.action, record)
        this.#compareDelay(record)
        if (one.action.attempt === 1) this.#pageQueued(one.action, record.notBefore)
      }
    }
    const isLost =
      one.type === 'action_failed' ||
      (one.type === 'action_cancelled' && one.outcome === 'configuration_changed')
    if (isLost && one.action.page !== undefined) this.#pageFailed(one.action)
    return true
  }

  /** Everything that is still expected should have been shown by now. */
  expectNothingMore(): void {
    const [first] = this.#expected
    if (first === undefined) return
    this.#expected = []
    const monitor = this.#model.monitor(first.monitorId)
    const state = monitor === undefined ? 'gone' : inWords(monitor)
    this.#note(`${first.monitorId}: the service does not show ${words(first, this.#ids)} (${state})`)
  }

  /** What is expected of a monitor, and what the model knows of it. */
  wordsFor(id: string): string {
    const mine = this.#expected.filter((one) => one.monitorId === id)
    const monitor = this.#model.monitor(id)
    return `${mine.map((one) => words(one, this.#ids)).join('; ') || 'nothing'} (${monitor === undefined ? 'gone' : inWords(monitor)})`
  }

  #isSame(one: Expected, event: StoredEvent, record: Action | undefined): boolean {
    switch (one.type) {
      case 'incident_opened':
        return true
      case 'destination_ailing':
      case 'destination_recovered':
      case 'destination_dead':
      case 'digest_sent':
      case 'digest_dropped':
        return one.endpoint === event.endpoint
      case 'incident_closed':
        return one.outcome === event.outcome && this.#ids.incidentId(one.incident) === event.incidentId
      case 'incident_suppressed':
        return one.by.includes(String((event.detail as { suppressedBy?: string } | null)?.suppressedBy))
      case 'escalation':
        return isSamePhase(one, event)
      case 'action_queued':
        return (
          one.action.kind === event.kind &&
          one.action.color === event.color &&
          one.action.endpoint === event.endpoint &&
          isSamePage(one.action, record)
        )
      case 'action_failed':
        return one.outcome === event.outcome && this.#isCancelled(one.action, event, record)
      case 'action_cancelled':
        return this.#isCancelled(one.action, event, record) && one.outcome === event.outcome
    }
  }

  #isCancelled(action: ModelAction, event: StoredEvent, record: Action | undefined): boolean {
    const id = this.#ids.actionId(action.key)
    return id === null
      ? action.color === event.color && action.endpoint === event.endpoint && isSamePage(action, record)
      : id === event.actionId
  }

  #compareReason(one: Expected, event: StoredEvent): void {
    count(this.#tally.compared, 'reasons')
    const expected = one.type === 'action_queued' ? one.action.because : one.because
    const difference = reasonDifference(event.because, expected, this.#ids)
    if (difference !== null)
      this.#findings.note(reasons, `${event.monitorId ?? event.endpoint}: ${event.type} ${difference}`)
  }

  #compareDelay(record: Action): void {
    const difference = delayDifference(record, this.#cooldownMs)
    if (difference !== null)
      this.#findings.note(reasons, `${record.monitorId}: ${record.color} ${record.id}: ${difference}`)
  }

  #compareQueued(action: ModelAction, record: Action): void {
    count(this.#tally.compared, 'actions')
    const differences: string[] = []
    if (record.attempt !== action.attempt) differences.push(`attempt ${record.attempt} for ${action.attempt}`)
    if (record.cause !== action.cause) differences.push(`cause ${record.cause} for ${action.cause}`)
    if (!isIn(record.notBefore, action.notBefore))
      differences.push(
        `not before ${record.notBefore - record.queuedAt} ms, model ${action.notBefore.from - record.queuedAt} to ${action.notBefore.to - record.queuedAt}`,
      )
    if (!this.#ids.isEpisode(action.episode, record.episodeId)) differences.push('another episode')
    const incidentId = action.incident === null ? null : this.#ids.incidentId(action.incident)
    if (incidentId !== record.incidentId) differences.push(`incident ${record.incidentId} for ${incidentId}`)
    if (action.page !== undefined) differences.push(...pageDifferences(action.page, record.page))
    if (differences.length > 0)
      this.#note(
        `${record.monitorId}: ${record.color ?? record.kind} ${record.id} to ${record.endpoint}: ${differences.join(', ')}`,
      )
  }

  #note(text: string): void {
    this.#findings.note('model', text)
  }
}

export function actionIn({ actions }: CommitBatch, id: string | null): Action | undefined {
  return actions.find((one) => one.id === id)
}

function isIn(value: number, { from, to }: Range): boolean {
  return value >= from - 1 && value <= to + 1
}

function words(one: Expected, ids: Identities): string {
  if ('action' in one) {
    const { kind, color, endpoint, cause, page } = one.action
    const of = page === undefined ? '' : ` ${JSON.stringify(page)}`
    const what = `${one.type} ${color ?? kind} (${cause}) to ${endpoint}${of}`
    return one.type === 'action_queued' ? what : `${what} ${ids.actionId(one.action.key)} ${one.outcome}`
  }
  return JSON.stringify(one)
}

/** What the model knows of a monitor. */
export function inWords({ plan, actions, ...monitor }: ModelMonitor): string {
  const { unhealthyThreshold, healthyThreshold, enabled, recovery, parents, destinations } = plan
  const codes = actions.map(({ color, endpoint, state }) => `${color ?? 'recovery'} ${endpoint} ${state}`)
  const policy = { unhealthyThreshold, healthyThreshold, enabled, recovery, parents, destinations }
  return JSON.stringify({ ...monitor, arrivals: undefined, codes, policy })
}
