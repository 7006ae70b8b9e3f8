// scripts/test/machine-speed.ts: how much slower than usual this machine is now: the CPU time of a fixed piece of work beside
// what it took when the limit of CPU time was set. A shared machine may need twice its time in a bad hour, which is no
// change of ours.

/** The least of nine measurements on two shared cores; the others went up to 790, so this is a rough scale. */
const usualMs = 450
const rounds = 60_000
const document = JSON.stringify({
  monitors: Array.from({ length: 12 }, (_, id) => ({ id: `monitor-${id}`, tags: ['a', 'b'], timeoutMs: id })),
})

/** At least 1: a quick hour allows no more than usual. */
export function slownessOfThisMachine(): number {
  const { user, system } = process.cpuUsage()
  let characters = 0
  for (let round = 0; round < rounds; round++) characters += JSON.stringify(JSON.parse(document)).length
  if (characters !== rounds * document.length) throw new Error('the measured work was not done')
  const used = process.cpuUsage({ user, system })
  return Math.max(1, (used.user + used.system) / 1000 / usualMs)
}
