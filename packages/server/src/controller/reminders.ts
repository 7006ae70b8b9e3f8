// controller/reminders.ts: what time brings to a monitor without a check: the wait for a parent's check, and the red
// that is sent again. Only monitors that wait for either are here; they are asked about once a second.
import type { Health } from '../health/health.ts'
import type { HealthRules } from '../health/health-rules.ts'

export class Reminders {
  readonly #awaitingParent = new Set<number>()
  readonly #repeating = new Set<number>()

  note(slot: number, { episode }: Health, rules: HealthRules): void {
    keep(this.#awaitingParent, slot, episode?.withheld === 'ancestor_not_checked')
    keep(this.#repeating, slot, rules.repeatMs !== null && (episode?.incident ?? null) !== null)
  }

  forget(slot: number): void {
    this.#awaitingParent.delete(slot)
    this.#repeating.delete(slot)
  }

  /** As they are now: asking may change them. */
  awaitingParent(): readonly number[] {
    return [...this.#awaitingParent]
  }

  repeating(): readonly number[] {
    return [...this.#repeating]
  }
}

function keep(set: Set<number>, slot: number, isIn: boolean): void {
  if (isIn) set.add(slot)
  else if (set.size > 0) set.delete(slot)
}
