import { describe, expect, it } from 'vitest'
import { KeyedLock } from './keyed-lock.ts'

const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn++) await null
}

describe('a lock for each key', () => {
  it('lets one in at a time, in the order in which they came, and others pass', async () => {
    const lock = new KeyedLock()
    const log: string[] = []
    const work = async (key: string, name: string) => {
      using _ = await lock.take(key)
      log.push(`${name} in`)
      await turns(5)
      log.push(`${name} out`)
    }
    await Promise.all([work('a', '1'), work('a', '2'), work('b', 'other'), work('a', '3')])
    expect(log.filter((line) => !line.startsWith('other'))).toEqual([
      '1 in',
      '1 out',
      '2 in',
      '2 out',
      '3 in',
      '3 out',
    ])
    expect(log.indexOf('other in')).toBeLessThan(log.indexOf('1 out'))
  })

  it('is let go by work that fails', async () => {
    const lock = new KeyedLock()
    const fail = async () => {
      using _ = await lock.take('a')
      throw new Error('a bug')
    }
    await expect(fail()).rejects.toThrow('a bug')
    using _ = await lock.take('a')
  })
})
