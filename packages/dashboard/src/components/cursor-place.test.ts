import { describe, expect, it } from 'vitest'
import { afterKey, type CursorPlace, selectedMs, stretchOf } from './cursor-place.ts'

const key = (name: string, shiftKey = false) => ({ key: name, shiftKey })

function press(from: CursorPlace, ...keys: readonly ReturnType<typeof key>[]): CursorPlace {
  return keys.reduce((place, pressed) => afterKey(place, pressed, 99) ?? place, from)
}

describe('the keyboard pointer', () => {
  const place = { at: 50, anchor: null }

  it.each([
    ['ArrowLeft', 49],
    ['ArrowRight', 51],
    ['PageDown', 40],
    ['PageUp', 60],
    ['Home', 0],
    ['End', 99],
  ])('%s moves it', (name, at) => {
    expect(press(place, key(name))).toEqual({ at, anchor: null })
  })

  it('stays within the times', () => {
    expect(press({ at: 99, anchor: null }, key('ArrowRight'))).toMatchObject({ at: 99 })
    expect(press({ at: 3, anchor: null }, key('PageDown'))).toMatchObject({ at: 0 })
    expect(afterKey({ at: 0, anchor: null }, key('PageUp'), 0)).toMatchObject({ at: 0 })
  })

  it('marks with Shift from where it was, in both directions, and forgets the mark without it', () => {
    const marked = press(place, key('ArrowLeft', true), key('ArrowLeft', true))
    expect(stretchOf(marked)).toEqual({ from: 48, to: 50 })
    expect(stretchOf(press(marked, key('End', true)))).toEqual({ from: 50, to: 99 })
    expect(stretchOf(press(marked, key('ArrowRight', true), key('ArrowRight', true)))).toBeNull()
    expect(stretchOf(press(marked, key('ArrowLeft')))).toBeNull()
  })

  it('selects whole cells, or a quarter of everything around it', () => {
    const timesMs = Array.from({ length: 8 }, (_, index) => 50 + index * 100)
    expect(selectedMs(timesMs, { at: 4, anchor: 2 })).toEqual([200, 500])
    expect(selectedMs(timesMs, { at: 4, anchor: null })).toEqual([350, 550])
  })

  it('leaves other keys alone', () => {
    for (const name of ['Enter', 'Escape', 'Tab', 'a']) expect(afterKey(place, key(name), 99)).toBeNull()
  })
})
