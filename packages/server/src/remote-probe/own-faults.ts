// remote-probe/own-faults.ts: failures that are the fault of this probe's place, by the rules of the service (self-watch): many
// timeouts and local errors at once while a canary fails, or a stall of this process. They say nothing about targets, so
// they are reported as no_data.
import {
  localEvidence,
  loopbackTarget,
  notMade,
  outcomeStatuses,
  outcomeStatusMask,
  type ResultBatch,
} from '../checking/probe/probe-protocol.ts'
import type { Clock } from '../platform/clock.ts'
import type { Network } from '../platform/network/network.ts'
import { Canaries } from '../self-watch/canaries.ts'
import { type Canary, OwnFaultDetector } from '../self-watch/own-fault.ts'

const lookEveryMs = 500
const noData = outcomeStatuses.indexOf('no_data')

export interface OwnFaultsOptions {
  readonly clock: Clock
  readonly network: Network
  readonly canaries: readonly Canary[]
  /** Called when a spell of own faults begins and when it ends. */
  readonly tell: (words: string) => void
}

export class OwnFaults implements AsyncDisposable {
  readonly #clock: Clock
  readonly #detector = new OwnFaultDetector()
  readonly #canaries: Canaries
  readonly #looks: NodeJS.Timeout
  /** Results since the last look, and per second, smoothed over some seconds. */
  #judged = 0
  #perSecond = 0

  constructor({ clock, network, canaries, tell }: OwnFaultsOptions) {
    this.#clock = clock
    this.#canaries = new Canaries({
      wanted: canaries,
      network,
      checksPerSecond: () => this.#perSecond,
      read: (canary, passes) => this.read(canary, passes),
    })
    let dueMs = this.#nowMs + lookEveryMs
    this.#looks = setInterval(() => {
      const nowMs = this.#nowMs
      this.#detector.lagged(nowMs - dueMs, nowMs)
      dueMs = nowMs + lookEveryMs
      this.#perSecond += 0.1 * ((this.#judged * 1_000) / lookEveryMs - this.#perSecond)
      this.#judged = 0
      const event = this.#detector.review(nowMs)
      if (event !== null) tell(event.words)
    }, lookEveryMs).unref()
  }

  read(canary: Canary, passes: boolean): void {
    this.#detector.readCanary(canary, passes, this.#nowMs)
  }

  /** The outcomes as the service should take them. */
  judge({ outcomes, startedMs, finishedMs }: ResultBatch): Uint8Array {
    this.#judged += outcomes.length
    this.#count(outcomes)
    return outcomes.map((outcome, index) => {
      const isSuspect = (outcome & localEvidence) !== 0 && (outcome & outcomeStatusMask) !== noData
      if (!isSuspect) return outcome & outcomeStatusMask
      const suspect = {
        scope: outcome & loopbackTarget ? 'loopback' : 'remote',
        startedAt: startedMs[index]!,
        finishedAt: finishedMs[index]!,
      } as const
      return this.#detector.excuses(suspect, this.#nowMs) ? noData | notMade : outcome & outcomeStatusMask
    })
  }

  /** The whole batch is counted first: own faults are recognised by their number. */
  #count(outcomes: Uint8Array): void {
    for (const scope of ['loopback', 'remote'] as const) {
      const ofScope = outcomes.filter(
        (outcome) => ((outcome & loopbackTarget) !== 0) === (scope === 'loopback'),
      )
      const suspicious = ofScope.filter((outcome) => (outcome & localEvidence) !== 0)
      if (ofScope.length > 0) this.#detector.count(scope, ofScope.length, suspicious.length, this.#nowMs)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#looks)
    await this.#canaries[Symbol.asyncDispose]()
  }

  get #nowMs(): number {
    return this.#clock.monotonicMs()
  }
}
