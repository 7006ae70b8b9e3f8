import { existsSync, rmSync } from 'node:fs'
import { temporaryFolder } from '@pulseward/testing'
import { describe, expect, it } from 'vitest'
import { withExclusiveLock } from './exclusive-lock.ts'

describe('an exclusive lock', () => {
  it('lets one at a time work, and leaves nothing behind', async () => {
    using folder = temporaryFolder()
    const path = folder.path('lock')
    let working = 0
    let most = 0
    const work = async () => {
      most = Math.max(most, ++working)
      await new Promise((resolve) => setImmediate(resolve))
      working--
    }
    await Promise.all([1, 2, 3, 4, 5].map(() => withExclusiveLock(path, work)))
    expect(most).toBe(1)
    expect(existsSync(path)).toBe(false)
  })

  it('is released by work that fails', async () => {
    using folder = temporaryFolder()
    const path = folder.path('lock')
    const failing = withExclusiveLock(path, async () => {
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(existsSync(path)).toBe(false)
  })

  it('is taken from a process that died with it', async () => {
    using folder = temporaryFolder({ lock: '' })
    expect(await withExclusiveLock(folder.path('lock'), async () => 'done', 100)).toBe('done')
    expect(existsSync(folder.path('lock'))).toBe(false)
  })

  it('tells a holder that was held up that the lock was taken from it, and leaves that of the other alone', async () => {
    using folder = temporaryFolder()
    const path = folder.path('lock')
    const heldUp = withExclusiveLock(path, async (lock) => {
      await lock.confirm()
      rmSync(path)
      await withExclusiveLock(path, async (other) => {
        await other.confirm()
        await expect(lock.confirm()).rejects.toMatchObject({ code: 'busy' })
      })
      folder.write('lock', '')
      await lock.confirm()
    })
    await expect(heldUp).rejects.toMatchObject({
      code: 'busy',
      message: `Another command took the lock ${path} while this one was held up. Nothing was changed; try again.`,
    })
    expect(existsSync(path)).toBe(true)
  })

  it('says with what error it cannot be made', async () => {
    using folder = temporaryFolder()
    const work = withExclusiveLock(folder.path('missing/lock'), async () => undefined)
    await expect(work).rejects.toMatchObject({ code: 'ENOENT' })
  })
})
