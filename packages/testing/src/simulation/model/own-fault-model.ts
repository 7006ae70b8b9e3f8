// simulation/model/own-fault-model.ts: behaviour.md §5 from raw results, canaries and lags. If behaviour.md leaves an
// edge open (whether the result itself counts, on which side of 10 s a result is) the answer is "either".

const windowMs = 10_000
/** The service may keep the window in steps of a second. */
const edgeMs = 1_000
const leastResults = 20

export type FaultAnswer = 'yes' | 'no' | 'either'

interface Seen {
  readonly finishedMs: number
  readonly isLocal: boolean
}

interface Lag {
  readonly fromMs: number
  /** When it was noticed. */
  toMs: number
}

export class OwnFaultModel {
  #seen: Seen[] = []
  #lags: Lag[] = []
  readonly #canaries = new Map<string, { readonly hasPassed: boolean; readonly passes: boolean }>()

  processStarted(): void {
    this.#seen = []
    this.#lags = []
    this.#canaries.clear()
  }

  canaryRead(name: string, passes: boolean): void {
    const hasPassed = passes || (this.#canaries.get(name)?.hasPassed ?? false)
    this.#canaries.set(name, { hasPassed, passes })
  }

  /** From now on the controller does not run, or its clock was stopped or set. */
  lagged(fromMs: number): void {
    this.#lags = [
      ...this.#lags.filter((lag) => lag.toMs > fromMs - 60_000),
      { fromMs, toMs: Number.POSITIVE_INFINITY },
    ]
  }

  /** The controller runs a turn and notices. */
  ticking(nowMs: number): void {
    for (const lag of this.#lags) if (lag.toMs === Number.POSITIVE_INFINITY) lag.toMs = nowMs
  }

  /** Results that were taken together, in no particular order. */
  took(results: readonly Seen[]): void {
    const nowMs = results.at(-1)?.finishedMs ?? 0
    this.#seen = [
      ...this.#seen.filter(({ finishedMs }) => finishedMs > nowMs - windowMs - edgeMs),
      ...results,
    ]
  }

  /** For a timeout or a local error, after its batch was taken. */
  judge(startedMs: number, finishedMs: number, batch: readonly Seen[]): FaultAnswer {
    const byLag = this.#byLag(startedMs, finishedMs)
    if (byLag === 'yes') return 'yes'
    const byWindow = this.#byWindow(finishedMs, batch)
    if (byWindow === 'yes') return 'yes'
    return byLag === 'either' || byWindow === 'either' ? 'either' : 'no'
  }

  #byLag(startedMs: number, finishedMs: number): FaultAnswer {
    const caught = ({ fromMs, toMs }: Lag) => startedMs <= fromMs && finishedMs > toMs
    if (this.#lags.some(caught)) return 'yes'
    const isNear = ({ fromMs, toMs }: Lag) => finishedMs >= fromMs && startedMs <= toMs + windowMs
    return this.#lags.some(isNear) ? 'either' : 'no'
  }

  #byWindow(finishedMs: number, batch: readonly Seen[]): FaultAnswer {
    const fails = ({ hasPassed, passes }: { hasPassed: boolean; passes: boolean }) => hasPassed && !passes
    if (![...this.#canaries.values()].some(fails)) return 'no'
    const before = this.#seen.filter((one) => !batch.includes(one))
    // The window may start after any of the results at its edge.
    const latestMs = finishedMs - windowMs + edgeMs
    const atEdge = before.map((one) => one.finishedMs).filter((ms) => ms < latestMs)
    const few = [Number.NEGATIVE_INFINITY, ...atEdge, latestMs].flatMap((fromMs) => {
      const inWindow = before.filter((one) => one.finishedMs > fromMs)
      return [isEnough(inWindow), isEnough([...inWindow, ...batch])]
    })
    if (few.every(Boolean)) return 'yes'
    return few.some(Boolean) ? 'either' : 'no'
  }
}

function isEnough(results: readonly Seen[]): boolean {
  const local = results.filter(({ isLocal }) => isLocal).length
  return local >= leastResults && local * 2 >= results.length
}
