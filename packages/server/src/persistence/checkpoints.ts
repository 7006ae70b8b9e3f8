// persistence/checkpoints.ts: writes what every check changes, every few seconds: blocks of counters, so many
// per turn that a small fleet needs one commit, and so few that a million monitors cause no pause, the trends
// that belong to them, and the SLO window. Unchanged blocks are not written again. Counters are shown only
// once they are on disk, so that a crash can never make them go down.

import type { Fleet } from '../fleet/fleet.ts'
import type { Clock } from '../platform/clock.ts'
import type { SloWindow } from '../slo/slo-window.ts'
import { blockOf, eachSample, encodeBlock, isBlockUnsaved } from './counter-block.ts'
import type { Identities } from './identities.ts'
import type { Journal } from './journal.ts'
import type { TrendRecorder } from './trend-recorder.ts'

/** Every changed block is written once in this time. */
const roundMs = 8_000
/**
 * Blocks that are stored together: a commit costs a sync and a wake-up of the store's thread, however little it contains.
 */
const blocksAtOnce = 64
/** For the window of a service that checks nothing: after a crash, the time since it was written counts as a gap. */
const unchangedSloMs = 60_000
/** Identities per turn: a fraction of a millisecond here, a few in the store. */
const identitiesAtOnce = 4_096

export interface CheckpointsOptions {
  readonly fleet: Fleet
  readonly identities: Identities
  readonly journal: Journal
  readonly slo: SloWindow
  readonly trends: TrendRecorder
  readonly clock: Clock
}

export class Checkpoints {
  readonly #options: CheckpointsOptions
  #roundBeganMs: number
  /** Blocks that were examined in the current round. */
  #examined = 0
  #round = 0
  #savedSlo = { changes: 0, atMs: Number.NEGATIVE_INFINITY }

  constructor(options: CheckpointsOptions) {
    this.#options = options
    this.#roundBeganMs = options.clock.monotonicMs()
  }

  /** Called on every tick: writes what is due in the current round. */
  advance(): void {
    if (!this.writeIdentities()) return
    this.#options.trends.advance()
    const elapsedMs = this.#options.clock.monotonicMs() - this.#roundBeganMs
    const blocks = this.#blocks
    const slices = Math.ceil(blocks / blocksAtOnce)
    const slice = Math.min(slices, Math.floor((elapsedMs / roundMs) * slices))
    const due = Math.min(blocks, slice * blocksAtOnce)
    while (this.#examined < due) this.#writeIfChanged(this.#examined++)
    if (elapsedMs >= roundMs) this.#endRound()
  }

  /** Writes everything at once, when the service stops. */
  writeAll(): void {
    while (!this.writeIdentities());
    for (let block = 0; block < this.#blocks; block++) this.#writeIfChanged(block)
    this.#options.trends.saveAll()
    this.#endRound()
  }

  /** These monitors start over under numbers that they had before: what was stored about them must not come back. */
  writeBlocksOf(rows: readonly number[]): void {
    const { identities } = this.#options
    for (const block of new Set(rows.map((row) => blockOf(identities.numberOf(row))))) this.#write(block)
  }

  get #blocks(): number {
    return blockOf(this.#options.identities.highestNumber) + 1
  }

  /** Counters are stored by number, so numbers are written first. True once the journal has all of them. */
  writeIdentities(): boolean {
    const { identities, journal } = this.#options
    if (identities.areWritten) return true
    for (const identity of identities.claimNext(identitiesAtOnce)) journal.keep('identities', identity)
    return identities.areWritten
  }

  #writeIfChanged(block: number): void {
    const { fleet, identities, trends } = this.#options
    const isUnsaved = isBlockUnsaved(block, (numericId) => identities.rowOf(numericId), fleet.columns)
    if (isUnsaved) this.#write(block)
    trends.visit(block, isUnsaved, this.#round)
  }

  /** A block counts as saved once the journal has it: a batch that cannot be written now is retried until it can. */
  #write(block: number): void {
    const { fleet, identities, journal } = this.#options
    const rowOf = (numericId: number) => identities.rowOf(numericId)
    const bytes = encodeBlock(block, rowOf, fleet.columns)
    journal.keep('blocks', { block, bytes })
    journal.afterCommit(() =>
      eachSample(block, bytes, rowOf, (row, healthy, total) => fleet.showSamples(row, healthy, total)),
    )
  }

  #endRound(): void {
    this.#options.trends.saveFleet()
    this.#saveSlo()
    this.#roundBeganMs = this.#options.clock.monotonicMs()
    this.#examined = 0
    this.#round++
  }

  #saveSlo(): void {
    const { journal, slo, clock } = this.#options
    const nowMs = clock.monotonicMs()
    const { changes, atMs } = this.#savedSlo
    if (slo.changes === changes && nowMs - atMs < unchangedSloMs) return
    this.#savedSlo = { changes: slo.changes, atMs: nowMs }
    journal.keep('slo', slo.snapshot(nowMs, clock.wallMs()))
  }
}
