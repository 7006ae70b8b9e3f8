// simulation/hazard.ts: crashes at the moments that matter most. When armed, the process dies exactly the
// next time it reaches that moment. Something else than a crash can be armed too.

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
  readonly #crash: (moment: Moment) => void
  #strike: (moment: Moment) => void
  #armed: Moment | null = null
  #passes = 0

  constructor(crash: (moment: Moment) => void) {
    this.#crash = crash
    this.#strike = crash
  }

  /** passes: how many times the moment is survived first. */
  arm(moment: Moment, passes: number, strike = this.#crash): void {
    this.#strike = strike
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
