// place-simulation/quorum-model.ts: what monitors at several places come to, written again from the rules and without code of
// the service. It hears when a slot opens, which probe was asked, what was delivered and which probe went, and says what the
// outcome of a slot must be.
export type Word = 'success' | 'failure' | 'timeout' | 'no_data'
export type Rule = 'any' | 'majority' | 'all' | number

/** From the end of a slot's waiting until the service has surely noticed it. */
const noticedMs = 500

interface Slot {
  readonly monitor: string
  readonly revision: number
  readonly openedMs: number
  readonly untilMs: number
  readonly said: Map<string, Word>
  readonly asked: Set<string>
  /** Places at which a check may be refused because a probe there is overloaded. */
  readonly doubtful: ReadonlySet<string>
}

export interface ModelMonitor {
  readonly places: readonly string[]
  readonly rule: Rule
  readonly timeoutMs: number
}

/** How the places of the service are when a slot opens. */
export interface PlacesNow {
  readonly connected: ReadonlySet<string>
  readonly overloaded: ReadonlySet<string>
}

export class QuorumModel {
  readonly #monitors: ReadonlyMap<string, ModelMonitor>
  readonly #open = new Map<string, Slot>()
  readonly faults: string[] = []
  /** Slots that ended as they should, by their outcome. */
  readonly ended: Record<Word, number> = { success: 0, failure: 0, timeout: 0, no_data: 0 }

  constructor(monitors: ReadonlyMap<string, ModelMonitor>) {
    this.#monitors = monitors
  }

  opens(monitor: string, revision: number, nowMs: number, { connected, overloaded }: PlacesNow): void {
    const { places, timeoutMs } = this.#monitors.get(monitor)!
    if (this.#open.has(monitor)) this.#fault(monitor, 'a slot opens beside another')
    const away = places.filter((place) => !connected.has(place))
    this.#open.set(monitor, {
      monitor,
      revision,
      openedMs: nowMs,
      untilMs: nowMs + timeoutMs + 1_000,
      said: new Map(away.map((place) => [place, 'no_data'])),
      asked: new Set(),
      doubtful: overloaded,
    })
  }

  /** A probe was asked. Returns the slot, to be named with its result. */
  asks(monitor: string, place: string, revision: number): object | null {
    const slot = this.#open.get(monitor)
    if (slot === undefined) return this.#fault(monitor, `${place} was asked outside a slot`)
    if (slot.asked.has(place)) return this.#fault(monitor, `${place} was asked twice`)
    if (!this.#monitors.get(monitor)!.places.includes(place))
      return this.#fault(monitor, `${place} is none of its places`)
    if (slot.revision !== revision)
      return this.#fault(monitor, `${place} was given revision ${revision} of ${slot.revision}`)
    slot.asked.add(place)
    return slot
  }

  /** Whether the order of a delivery and the end of waiting is not defined now. */
  isClose(slot: object, nowMs: number): boolean {
    const { untilMs } = slot as Slot
    return nowMs >= untilMs - 50 && nowMs <= untilMs + noticedMs
  }

  delivered(slot: object, place: string, word: Word, nowMs: number): void {
    const { said, untilMs } = slot as Slot
    if (nowMs < untilMs && !said.has(place)) said.set(place, word)
  }

  /** The probe that was asked in this slot has gone. */
  lost(slot: object, place: string): void {
    const { said } = slot as Slot
    if (!said.has(place)) said.set(place, 'no_data')
  }

  /** The definition has changed: the slot must not end with an outcome. */
  gives(monitor: string): void {
    this.#open.delete(monitor)
  }

  ends(monitor: string, word: Word, startedMs: number, nowMs: number): void {
    const slot = this.#open.get(monitor)
    if (slot === undefined) {
      this.#fault(monitor, `${word} without a slot`)
      return
    }
    this.#open.delete(monitor)
    if (startedMs < slot.openedMs || startedMs > nowMs)
      this.#fault(monitor, `it began at ${startedMs}, outside of ${slot.openedMs} to ${nowMs}`)
    const { places, rule } = this.#monitors.get(monitor)!
    const words = places.map((place) => slot.said.get(place) ?? this.#silence(slot, place, nowMs))
    const expected = outcomeOf(words, rule)
    if (expected === word) this.ended[word]++
    else this.#fault(monitor, `${words.join(', ')} is ${expected} and not ${word}`)
  }

  /** Slots that should have ended long ago. */
  check(nowMs: number): void {
    for (const { monitor, untilMs } of this.#open.values())
      if (nowMs > untilMs + 2 * noticedMs) {
        this.#fault(monitor, 'a slot does not end')
        this.#open.delete(monitor)
      }
  }

  #silence({ monitor, asked, doubtful, untilMs }: Slot, place: string, nowMs: number): Word {
    if (!asked.has(place) && !doubtful.has(place)) this.#fault(monitor, `${place} was not asked`)
    if (asked.has(place) && nowMs < untilMs) this.#fault(monitor, `it ended without waiting for ${place}`)
    return 'no_data'
  }

  #fault(monitor: string, words: string): null {
    this.faults.push(`${monitor}: ${words}`)
    return null
  }
}

/** Decided is what no answer of a missing place could change. */
function outcomeOf(words: readonly Word[], rule: Rule): Word {
  const count = (word: Word) => words.filter((one) => one === word).length
  const failed = count('failure') + count('timeout')
  const isRed = (failures: number) => {
    if (rule === 'any') return failures > 0
    if (rule === 'all') return failures === words.length
    return rule === 'majority' ? 2 * failures > words.length : failures >= rule
  }
  if (isRed(failed)) return count('failure') === 0 ? 'timeout' : 'failure'
  return isRed(failed + count('no_data')) ? 'no_data' : 'success'
}
