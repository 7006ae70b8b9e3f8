import { renameSync, rmSync, utimesSync } from 'node:fs'
import { temporaryFolder } from '@pulseward/testing'
import { describe, expect, it } from 'vitest'
import { FileWatch } from './watch-files.ts'

/** A watch whose changes can be awaited one by one. */
async function watching(...paths: string[]) {
  const changes: (() => void)[] = []
  let seen = 0
  const changed = () => {
    seen++
    changes.shift()?.()
  }
  const watch = new FileWatch(paths, 20)
  await watch.remember()
  watch.start(changed)
  return {
    changed: () => new Promise<void>((resolve) => changes.push(resolve)),
    get seen() {
      return seen
    },
    [Symbol.dispose]: () => watch[Symbol.dispose](),
  }
}

describe('a watch over fleet files', () => {
  it('reports a file that is written, once', async () => {
    using folder = temporaryFolder({ 'a.yaml': 'monitors: []' })
    using watch = await watching(folder.path('a.yaml'))
    const changed = watch.changed()
    folder.write('a.yaml', 'monitors: [ ]')
    await changed
    expect(watch.seen).toBe(1)
    const again = watch.changed()
    folder.write('a.yaml', 'monitors: [  ]')
    await again
    expect(watch.seen).toBe(2)
  })

  it('reports a file that is replaced by one of the same size and time', async () => {
    using folder = temporaryFolder({ 'a.yaml': 'version: 1', 'a.new': 'version: 2' })
    for (const name of ['a.yaml', 'a.new']) utimesSync(folder.path(name), 1_700_000_000, 1_700_000_000)
    using watch = await watching(folder.path('a.yaml'))
    const changed = watch.changed()
    renameSync(folder.path('a.new'), folder.path('a.yaml'))
    await changed
    expect(watch.seen).toBe(1)
  })

  it('reports files that come to a folder or go from it', async () => {
    using folder = temporaryFolder({ 'fleet/a.yaml': '' })
    using watch = await watching(folder.path('fleet'))
    const added = watch.changed()
    folder.write('fleet/inner/b.yaml', '')
    await added
    const removed = watch.changed()
    rmSync(folder.path('fleet'), { recursive: true })
    await removed
    expect(watch.seen).toBe(2)
  })
})
