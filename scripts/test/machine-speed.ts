// scripts/test/machine-speed.ts: how much slower than usual this machine is while the tests run: the CPU time
// of a fixed piece of work, repeated during the run, compared with its time when the limit was set. A shared
// machine may need twice the time in a bad hour, which is not caused by our changes.

/** The time of a round beside the quick tests on a fast machine with two cores. */
const usualMicroseconds = 9
const rounds = 2000
const pauseMs = 2000
const document = JSON.stringify({
  monitors: Array.from({ length: 12 }, (_, id) => ({ id: `monitor-${id}`, tags: ['a', 'b'], timeoutMs: id })),
})

export class MachineSpeed {
  readonly #timer = setInterval(() => this.#sample(), pauseMs)
  #usedMicroseconds = 0
  #rounds = 0

  /** At least 1: a fast machine gets no stricter limit. 1 for a run that is too short to measure. */
  get slowness(): number {
    return Math.max(1, this.#usedMicroseconds / Math.max(1, this.#rounds) / usualMicroseconds)
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
  }

  #sample(): void {
    const before = process.cpuUsage()
    let characters = 0
    for (let round = 0; round < rounds; round++) characters += JSON.stringify(JSON.parse(document)).length
    if (characters !== rounds * document.length) throw new Error('the measured work was not done')
    const { user, system } = process.cpuUsage(before)
    this.#usedMicroseconds += user + system
    this.#rounds += rounds
  }
}
