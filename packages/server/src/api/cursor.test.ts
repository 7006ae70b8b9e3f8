import { describe, expect, it } from 'vitest'
import { Cursors } from './cursor.ts'

const identity = { id: '019caa3c-6b52-7c1e-9d0a-5f2f3a1b7c44', key: Buffer.alloc(32, 7) }
const list = { monitorId: 'checkout-api', incidentId: null, order: 'desc' } as const
const place = { upTo: 48_120, after: 47_000 }

describe('a cursor of the history', () => {
  it('is the text that earlier versions gave, so that an upgrade ends no pagination', () => {
    const text = 'Mi41ZjJmM2ExYjdjNDQuMTE0by4xMDlrLnFCaFJqcE9QYWtPYVNZVldveXR4RS0'
    expect(new Cursors(identity).write(place, list)).toBe(text)
    expect(new Cursors(identity).read(text, list, 50_000)).toEqual(place)
  })
})
