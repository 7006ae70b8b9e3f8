import { v2 } from '@pulseward/contract'
import { describe, expect, it } from 'vitest'
import { type Labels, matchesSelector } from './selector.ts'

const payments = { team: 'payments', tier: 'gold', 'app.example/part': '' }

function selects(text: string, labels: Labels): boolean {
  const read = v2.parseSelector(text)
  if ('mistake' in read) throw new Error(read.mistake)
  return matchesSelector(labels, read.selector)
}

describe('a selector', () => {
  it.each([
    ['', true],
    ['team', true],
    ['owner', false],
    ['!owner', true],
    ['! team', false],
    ['team=payments', true],
    ['team=Payments', false],
    ['team!=payments', false],
    ['team!=search', true],
    ['owner!=mara', true],
    ['app.example/part=', true],
    ['tier in (gold,silver)', true],
    ['tier notin (gold,silver)', false],
    ['owner notin (mara)', true],
    ['owner in (mara)', false],
    ['team=payments,tier in (gold,silver),!legacy', true],
    ['team=payments,tier in (silver,bronze),!legacy', false],
    ['constructor', false],
  ])('%j decides %s', (text, expected) => expect(selects(text, payments)).toBe(expected))

  it('knows words as keys', () => {
    expect(selects('in in (in),notin notin (in)', { in: 'in' })).toBe(true)
  })
})
