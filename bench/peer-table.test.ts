import { describe, expect, it } from 'vitest'
import type { PeerFigures } from './peer-run.ts'
import { peerTable, undoneByPeers } from './peer-table.ts'

const done: PeerFigures = {
  name: 'Gatus',
  all_checked_seconds: 222.04,
  monitors_checked: 1_000,
  checks: 19_900,
  checks_due: 20_000,
  resumed: 0,
  cpu_us_per_check: 205.4,
  rss_bytes: 62 * 2 ** 20,
}
const unmeasured = { checks: null, checks_due: null, resumed: null, cpu_us_per_check: null, rss_bytes: null }
const givenUp = { ...done, ...unmeasured, all_checked_seconds: null, monitors_checked: 700 }

describe('the table of contenders', () => {
  it('has a row for each, and a dash for what was not measured', () => {
    const [, first, second] = peerTable([done, givenUp]).split('\n')
    expect(first!.split(/\s+/)).toEqual(['Gatus', '19,900', '205', '62', '222.0'])
    expect(second!.split(/\s+/)).toEqual(['Gatus', '–', '–', '–', '–'])
  })
})

describe('the work of contenders', () => {
  it('is done with nine of ten checks', () => {
    expect(undoneByPeers([done, { ...done, checks: 18_000 }], 1_000)).toEqual([])
  })

  it.each([
    ['too few checks', { checks: 17_999 }, 'Gatus did 17,999 of the 20,000 checks that were due.'],
    ['monitors never checked', givenUp, 'Gatus checked 700 of 1,000 monitors before it was given up.'],
    ['an early end', unmeasured, 'Gatus ended before it was measured.'],
    [
      'nothing due and nothing done',
      { checks: 0, checks_due: 0 },
      'Gatus did 0 of the 0 checks that were due.',
    ],
  ])('is undone with %s', (_, changed, sentence) => {
    expect(undoneByPeers([{ ...done, ...changed }], 1_000)).toEqual([sentence])
  })
})
