// The real service and its workers under SIGKILL, a few times; `npm run crash -- --workers` is the long run.
import { expect, it } from 'vitest'
import { temporaryFolder } from '../files/temporary-folder.ts'
import { runWorkerCrashes } from './worker-crash-run.ts'

it('does no job twice and loses no result over six kills', { tags: 'long' }, async () => {
  using folder = temporaryFolder()
  const plan = { rounds: 6, monitors: 20, seed: 20_260_101, folder, onRound() {} }
  const report = await runWorkerCrashes(plan)
  expect(report.violations).toEqual([])
  expect(report.began).toBeGreaterThan(10)
})
