import { chmodSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { eventually, temporaryFolder } from '@pulseward/testing'
import { describe, expect, it } from 'vitest'
import { KeyRing } from './key-ring.ts'
import { createKeyRing, rotate } from './rotation.ts'
import { watchKeyRing } from './watch-key-ring.ts'

/** A watch that notes all it says. */
function watching(path: string, change: (ring: KeyRing) => Promise<void> = async () => undefined) {
  const rings: string[] = []
  let problem: string | null | undefined
  const watch = watchKeyRing(
    path,
    {
      async changed(ring) {
        await change(ring)
        rings.push(ring.ids.join())
      },
      problem(found) {
        problem = found?.message ?? null
      },
    },
    10,
  )
  return {
    rings,
    problem: () => problem,
    [Symbol.asyncDispose]: () => watch[Symbol.asyncDispose](),
  }
}

describe('a watch over the key file', () => {
  it('gives the ring at the start and after every rotation', async () => {
    using folder = temporaryFolder()
    const path = folder.path('data.key')
    const first = await createKeyRing(path)
    await using watch = watching(path)
    await eventually(() => expect(watch.rings).toEqual([first.ids.join()]))
    expect(watch.problem()).toBeNull()
    const second = await rotate(path)
    await eventually(() => expect(watch.rings.at(-1)).toBe(second.ids.join()))
    expect(new Set(watch.rings).size).toBe(2)
  })

  it('says what is wrong with a broken file, and takes it when it is mended', async () => {
    using folder = temporaryFolder()
    const path = folder.path('data.key')
    const ring = await createKeyRing(path)
    await using watch = watching(path)
    await eventually(() => expect(watch.problem()).toBeNull())
    writeFileSync(path, ring.fileText().slice(0, -3))
    await eventually(() => expect(watch.problem()).toMatch(/^Line 1 of the key file .* is not a whole key/))
    rmSync(path)
    await eventually(() => expect(watch.problem()).toMatch(/is missing/))
    writeFileSync(path, ring.fileText(), { mode: 0o600 })
    await eventually(() => expect(watch.problem()).toBeNull())
    expect(new Set(watch.rings)).toEqual(new Set([ring.ids.join()]))
  })

  it('notices that the file was opened to others, and that it was closed again', async () => {
    using folder = temporaryFolder()
    const path = folder.path('data.key')
    await createKeyRing(path)
    await using watch = watching(path)
    await eventually(() => expect(watch.problem()).toBeNull())
    chmodSync(path, 0o644)
    await eventually(() => expect(watch.problem()).toMatch(/open to other users \(mode 644\)/))
    chmodSync(path, 0o600)
    await eventually(() => expect(watch.problem()).toBeNull())
  })

  it('notices a file that was renamed into its place', async () => {
    using folder = temporaryFolder()
    const path = folder.path('data.key')
    await createKeyRing(path)
    await using watch = watching(path)
    await eventually(() => expect(watch.rings).toHaveLength(1))
    const other = KeyRing.generate()
    writeFileSync(folder.path('other'), other.fileText(), { mode: 0o600 })
    renameSync(folder.path('other'), path)
    await eventually(() => expect(watch.rings.at(-1)).toBe(other.ids.join()))
  })

  it('gives a ring again that could not be taken over', async () => {
    using folder = temporaryFolder()
    const path = folder.path('data.key')
    const ring = await createKeyRing(path)
    let attempts = 0
    await using watch = watching(path, async () => {
      if (++attempts < 3) throw new Error('the store is full')
    })
    await eventually(() => expect(watch.problem()).toBe('the store is full'))
    await eventually(() => expect(watch.rings).toEqual([ring.ids.join()]))
    expect(watch.problem()).toBeNull()
    expect(attempts).toBe(3)
  })

  it('ends only after the change that is in flight, and says nothing afterwards', async () => {
    using folder = temporaryFolder()
    const path = folder.path('data.key')
    await createKeyRing(path)
    const started = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    const watch = watching(path, async () => {
      started.resolve()
      await goOn.promise
    })
    await started.promise
    const ended = watch[Symbol.asyncDispose]()
    goOn.resolve()
    await ended
    expect(watch.rings).toHaveLength(1)
  })
})
