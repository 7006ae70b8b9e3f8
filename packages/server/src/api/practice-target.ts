// api/practice-target.ts: something to watch that an operator can make to fail, to see an incident before one happens. It is
// a path of the service itself, so that a monitor of it outlives a restart. It needs no credential and says only whether it
// is on. Off is forgotten after ten minutes, and by a restart, so that practice never becomes an alert at night.
import type { Clock } from '../platform/clock.ts'
import type { Router } from './router.ts'

const practicePath = '/practice'
const longestOffMs = 600_000

export class PracticeTarget {
  readonly #clock: Clock
  #address: string | null = null
  #onAgainMs = Number.NEGATIVE_INFINITY

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** address: where the service reaches itself. */
  listensAt(address: string): void {
    this.#address = address
  }

  /** Null before the listener is open. */
  get url(): string | null {
    return this.#address === null ? null : new URL(practicePath, this.#address).href
  }

  /** How long it stays off; 0 if it is on. */
  get offForMs(): number {
    return Math.max(0, this.#onAgainMs - this.#clock.monotonicMs())
  }

  switch(on: boolean): void {
    this.#onAgainMs = on ? Number.NEGATIVE_INFINITY : this.#clock.monotonicMs() + longestOffMs
  }
}

export function servePractice(router: Router, target: PracticeTarget): void {
  router.add('GET', practicePath, (exchange) => {
    const isOn = target.offForMs === 0
    exchange.setHeader('content-type', 'text/plain; charset=utf-8')
    exchange.send(isOn ? 200 : 503, `The practice target is ${isOn ? 'on' : 'off'}.\n`)
  })
}

export function isPracticePath(path: string): boolean {
  return path === practicePath
}
