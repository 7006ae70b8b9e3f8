// checking/result-intake.ts: what the result of a check means for the fleet. A plain success on a quiet monitor touches
// columns only and allocates nothing, since nearly every result is one; everything else is decided.

import type { HealthTable } from '../deciding/health-table.ts'
import type { Turn } from '../deciding/turn.ts'
import { boundedLatency } from '../fleet/columns.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { ServiceTime } from '../platform/service-time.ts'
import type { OwnFaultDetector } from '../self-watch/own-fault.ts'
import type { TrendCells } from '../trends/trend-cells.ts'
import type { LastChecks } from './last-checks.ts'
import {
  localEvidence,
  loopbackTarget,
  notMade,
  outcomeStatuses,
  outcomeStatusMask,
  type ResultBatch,
  type ResultNote,
} from './probe/probe-protocol.ts'

const success = outcomeStatuses.indexOf('success')
const noData = outcomeStatuses.indexOf('no_data')

export interface ResultIntakeOptions {
  readonly fleet: Fleet
  readonly health: HealthTable
  readonly time: ServiceTime
  readonly ownFault: OwnFaultDetector
  readonly trends: TrendCells
  readonly lastChecks: LastChecks
}

export class ResultIntake {
  readonly #options: ResultIntakeOptions

  constructor(options: ResultIntakeOptions) {
    this.#options = options
  }

  /** The whole batch is counted before any of its results is applied: own faults are recognised by their number. */
  count({ outcomes }: ResultBatch, turn: Turn): void {
    const { ownFault } = this.#options
    const total = { loopback: 0, remote: 0 }
    const suspicious = { loopback: 0, remote: 0 }
    for (const outcome of outcomes) {
      const scope = outcome & loopbackTarget ? 'loopback' : 'remote'
      total[scope]++
      if (outcome & localEvidence) suspicious[scope]++
    }
    if (total.loopback > 0) ownFault.count('loopback', total.loopback, suspicious.loopback, turn.now)
    if (total.remote > 0) ownFault.count('remote', total.remote, suspicious.remote, turn.now)
  }

  /**
   * Applies one result; true when it was our own fault. A result of a monitor that was replaced or removed, or of a check
   * that has changed since, is ignored.
   */
  take(turn: Turn, batch: ResultBatch, position: number, note: ResultNote | null): boolean {
    const { fleet, trends } = this.#options
    const { columns } = fleet
    const row = batch.rows[position]!
    if (batch.generations[position] !== columns.generation[row] || !fleet.has(row)) return false
    const isSuccess = (batch.outcomes[position]! & outcomeStatusMask) === success
    const isPlain = isSuccess && columns.quiet[row] === 1 && (note === null || note.warning === null)
    if (!isPlain) return this.#decide(turn, batch, position, note)
    if (note !== null) this.#keepNote(turn, row, note, true)
    const latencyMs = boundedLatency(batch.latencyMs[position]!)
    columns.lastCheck[row] = turn.now
    columns.lastSuccess[row] = turn.now
    columns.latencyMs[row] = latencyMs
    columns.unsaved[row] = 1
    fleet.countSample(row, true)
    trends.count(row, true, latencyMs)
    return false
  }

  /** Whether a result that was counted says nothing about its target. */
  isOwnFault(turn: Turn, { outcomes, startedMs, finishedMs }: ResultBatch, position: number): boolean {
    const { time, ownFault } = this.#options
    const outcome = outcomes[position]!
    if ((outcome & outcomeStatusMask) === noData) return (outcome & notMade) !== 0
    if ((outcome & localEvidence) === 0) return false
    const startedAt = time.at(startedMs[position]!)
    const finishedAt = time.at(finishedMs[position]!)
    const scope = outcome & loopbackTarget ? 'loopback' : 'remote'
    return ownFault.excuses({ scope, startedAt, finishedAt }, turn.now)
  }

  #decide(turn: Turn, batch: ResultBatch, position: number, note: ResultNote | null): boolean {
    const { fleet, health, time, trends, lastChecks } = this.#options
    const { columns } = fleet
    const row = batch.rows[position]!
    const outcome = batch.outcomes[position]!
    const status = outcomeStatuses[outcome & outcomeStatusMask]!
    const startedAt = time.at(batch.startedMs[position]!)
    const finishedAt = time.at(batch.finishedMs[position]!)
    const isOwnFault = this.isOwnFault(turn, batch, position)
    columns.lastCheck[row] = turn.now
    columns.unsaved[row] = 1
    if (status !== 'no_data' && !isOwnFault) {
      const latencyMs = boundedLatency(batch.latencyMs[position]!)
      columns.latencyMs[row] = latencyMs
      fleet.countSample(row, status === 'success')
      trends.count(row, status === 'success', latencyMs)
      if (status === 'success') columns.lastSuccess[row] = turn.now
    }
    if (note !== null || health.hasNote(row)) this.#keepNote(turn, row, note, status === 'success')
    turn.decide({
      kind: 'monitor',
      row,
      input: {
        kind: 'result',
        status,
        ownFault: isOwnFault,
        warning: note?.warning ?? null,
        reason: note?.reason ?? null,
        from: note?.from ?? null,
        generation: batch.generations[position]!,
        checkRevision: columns.checkRevision[row]!,
        startedAt,
        finishedAt,
      },
    })
    lastChecks.note(row, fleet.idOf(row), columns.quiet[row] === 1, {
      at: turn.now,
      outcome: isOwnFault ? 'own_fault' : status,
      latencyMs: status === 'no_data' ? null : boundedLatency(batch.latencyMs[position]!),
      reason: note?.reason ?? note?.warning ?? null,
    })
    return isOwnFault
  }

  /** The last error stays after a success: it says why the monitor was last down. */
  #keepNote(turn: Turn, row: number, note: ResultNote | null, isSuccess: boolean): void {
    const { health } = this.#options
    const before = health.noteOf(row)
    const seen = note?.certificateExpiresAt ?? null
    health.keepNote(row, {
      lastError: isSuccess ? (before?.lastError ?? null) : (note?.reason ?? null),
      certificateExpiresAt: seen ?? before?.certificateExpiresAt ?? null,
      certificateObservedAt: seen === null ? (before?.certificateObservedAt ?? null) : turn.now,
    })
  }
}
