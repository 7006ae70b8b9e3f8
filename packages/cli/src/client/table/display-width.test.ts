import { describe, expect, it } from 'vitest'
import { cutToWidth, displayWidth, padToWidth } from './display-width.ts'

describe('the width of a text on a terminal', () => {
  it.each([
    ['', 0],
    ['plain', 5],
    ['Müller', 6],
    ['Mu\u0308ller', 6],
    ['監視', 4],
    ['한국', 4],
    ['\u1112\u1161\u11ab', 2],
    ['ｱ', 1],
    ['ｶﾞ', 2],
    ['䷀☰', 4],
    ['का', 2],
    ['กำ', 2],
    ['👍🏽', 2],
    ['1️⃣', 2],
    ['😀', 2],
    ['👩‍👩‍👧', 2],
    ['🇩🇪', 2],
    ['❤️', 2],
    ['→…', 2],
  ])('of %j is %i', (text, width) => {
    expect(displayWidth(text)).toBe(width)
  })

  it.each([
    ['plain', 5, 'plain'],
    ['plain', 4, 'pla…'],
    ['plain', 1, '…'],
    ['plain', 0, ''],
    ['監視監視', 5, '監視…'],
    ['監視監視', 6, '監視…'],
    ['a👩‍👩‍👧b', 2, 'a…'],
    ['one two', 5, 'one…'],
  ])('%j is cut to %i as %j', (text, width, cut) => {
    expect(cutToWidth(text, width)).toBe(cut)
    expect(displayWidth(cut)).toBeLessThanOrEqual(width)
  })

  it('is filled up to, on either side', () => {
    expect(padToWidth('監', 4, 'left')).toBe('監  ')
    expect(padToWidth('監', 4, 'right')).toBe('  監')
    expect(padToWidth('long', 2, 'left')).toBe('long')
  })
})
