// telemetry/signal-counts.ts: what became of the signals of jobs that report by themselves, since the process started.
// Which job sent them is no label: their number is unbounded.
import { LabelCounter } from './label-counter.ts'

/**
 * stored: acknowledged. ignored: acknowledged for a monitor that is not watched. limited: too many for one key.
 * not_stored: refused for now, and to be sent again.
 */
export const signalOutcomes = ['stored', 'ignored', 'limited', 'not_stored'] as const
export type SignalOutcome = (typeof signalOutcomes)[number]

/** limited: too many of one address. */
export const unknownKeyAnswers = ['not_found', 'limited'] as const
export type UnknownKeyAnswer = (typeof unknownKeyAnswers)[number]

export class SignalCounts {
  readonly #signals = new LabelCounter()
  readonly #unknownKeys: Record<UnknownKeyAnswer, number> = { not_found: 0, limited: 0 }
  #invalid = 0

  noteSignal(kind: string, outcome: SignalOutcome): void {
    this.#signals.note(kind, outcome)
  }

  noteUnknownKey(answer: UnknownKeyAnswer): void {
    this.#unknownKeys[answer]++
  }

  /** The key was right, and what came with it was not. */
  noteInvalid(): void {
    this.#invalid++
  }

  /** Each outcome of these kinds, and of those that came. */
  signals(kinds: readonly string[]): readonly { kind: string; outcome: string; count: number }[] {
    return this.#signals
      .read(kinds, signalOutcomes)
      .map(({ first: kind, second: outcome, count }) => ({ kind, outcome, count }))
  }

  unknownKeys(answer: UnknownKeyAnswer): number {
    return this.#unknownKeys[answer]
  }

  get invalid(): number {
    return this.#invalid
  }
}
