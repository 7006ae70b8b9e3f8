import { describe, expect, it } from 'vitest'
import { checkCountsIn, undoneChecks } from './work-done.ts'

const allDone = {
  scheduled: 1_000,
  scheduledPerSecond: 33,
  finished: 1_000,
  succeeded: 1_000,
  seenAtLeast: 995,
  seenAtMost: 1_005,
}

describe('the work of a benchmark', () => {
  it('counts the checks of every type in the metrics, and those that succeeded', () => {
    const metrics = [
      '# TYPE pulseward_checks counter',
      'pulseward_checks_total{type="tcp",outcome="success"} 70',
      'pulseward_checks_total{type="tcp",outcome="timeout"} 5',
      'pulseward_checks_total{type="http",outcome="success"} 20',
      'pulseward_checks_total{type="http",outcome="failure"} 3',
      'pulseward_notifications_total{driver="log",outcome="success"} 9',
    ]
    expect(checkCountsIn(metrics.join('\n'))).toEqual({ finished: 98, succeeded: 90 })
  })

  it('is done when checks kept their schedule, succeeded and reached their targets', () => {
    expect(undoneChecks(allDone)).toEqual([])
  })

  it.each([
    [
      'every check was refused',
      { succeeded: 0, seenAtLeast: 0, seenAtMost: 0 },
      '0 of 1,000 checks succeeded',
    ],
    ['2 % of the checks failed', { succeeded: 980, seenAtLeast: 980 }, '980 of 1,000 checks succeeded'],
    [
      'nothing was checked',
      { finished: 0, succeeded: 0, seenAtLeast: 0 },
      '0 of 1,000 scheduled checks were done',
    ],
    [
      'a tenth was never started',
      { finished: 900, succeeded: 900, seenAtLeast: 900 },
      '900 of 1,000 scheduled',
    ],
    ['the targets saw less than is claimed', { seenAtLeast: 0, seenAtMost: 900 }, 'saw between 0 and 900'],
    [
      'the targets saw more than is claimed',
      { seenAtLeast: 1_100, seenAtMost: 1_200 },
      'between 1,100 and 1,200',
    ],
  ])('is not done when %s', (_, changed, sentence) => {
    expect(undoneChecks({ ...allDone, ...changed })).toEqual([expect.stringContaining(sentence)])
  })

  it('lets the checks of dead targets fail, and no others', () => {
    expect(undoneChecks({ ...allDone, succeeded: 980, seenAtMost: 985, seenAtLeast: 980 }, 2)).toEqual([])
    expect(undoneChecks({ ...allDone, succeeded: 900, seenAtMost: 905, seenAtLeast: 900 }, 2)).toHaveLength(1)
  })
})
