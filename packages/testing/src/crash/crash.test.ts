// The real service under SIGKILL, a few rounds of it; `npm run crash -- --rounds 50` is the long run.
import { expect, it } from 'vitest'
import { temporaryFolder } from '../files/temporary-folder.ts'
import { runCrashes } from './crash-run.ts'

it('loses nothing, tells nothing twice and makes nothing up over five kills', {
  tags: 'long',
}, async () => {
  using folder = temporaryFolder()
  const report = await runCrashes({
    rounds: 5,
    monitors: 200,
    seed: 20_260_101,
    folder,
    onRound() {},
    // Other tests share the cores: how fast it is ready is judged by the long run.
    readyWithinMs: 60_000,
  })
  expect(report.violations).toEqual([])
  expect(report.rounds).toBe(5)
  for (const seen of [
    'incidents',
    'notifications',
    'recoveries',
    'steps',
    'unknownActions',
    'writesAnswered',
  ] as const)
    expect(report[seen], seen).toBeGreaterThan(0)
})
