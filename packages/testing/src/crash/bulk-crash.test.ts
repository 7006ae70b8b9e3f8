// The real service under SIGKILL in the middle of an operation, a few times; `npm run crash -- --bulk` is the long run.
import { expect, it } from 'vitest'
import { temporaryFolder } from '../files/temporary-folder.ts'
import { runBulkCrashes } from './bulk-crash-run.ts'

it('applies every item of an operation once, in order, over four kills', {
  tags: 'long',
}, async () => {
  using folder = temporaryFolder()
  const report = await runBulkCrashes({ rounds: 4, items: 4_000, seed: 20_260_101, folder, onRound() {} })
  expect(report.violations).toEqual([])
  expect(report.rounds).toBe(4)
})
