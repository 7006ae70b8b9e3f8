// scripts/test/machine-speed.ts: how much slower than usual this machine is while other work runs on it: the CPU time of a
// fixed piece of work, done again and again beside that work, and what it took when the limit of CPU time was set. A shared
// machine may need twice its time in a bad hour, which is no change of ours.

/** What a round took beside the quick tests in a quick hour, on two cores. */
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

  /** At least 1: a quick hour allows no more than usual. Of a run that is too short to be measured: 1. */
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
