// simulation/hazard.ts: crashes at the moments that matter most. Once armed, the process dies the next time it comes to
// that moment: not a little before and not a little after.

export const moments = [
  'batch handed over',
  'batch on disk',
  'commit acknowledged',
  'provider called',
  'answer given',
  'check started',
  'results taken',
  'turn ended',
] as const
export type Moment = (typeof moments)[number]

export class Hazard {
  readonly #strike: (moment: Moment) => void
  #armed: Moment | null = null
  #passes = 0

  constructor(strike: (moment: Moment) => void) {
    this.#strike = strike
  }

  /** passes: how many times the moment is survived first. */
  arm(moment: Moment, passes: number): void {
    this.#armed = moment
    this.#passes = passes
  }

  disarm(): void {
    this.#armed = null
  }

  reached(moment: Moment): void {
    if (moment !== this.#armed || this.#passes-- > 0) return
    this.#armed = null
    this.#strike(moment)
  }
}
