// What was built counts as fresh until anything that it was built from changes: a file, a file in a folder, or a file that
// is taken away.
import { rmSync, utimesSync } from 'node:fs'
import { temporaryFolder } from '@pulseward/testing'
import { expect, it } from 'vitest'
import { isFresh } from './is-fresh.js'

const built = 2_000

function project() {
  const folder = temporaryFolder({ 'dist/built.json': '{}', 'src/deep/a.ts': '', 'src/b.ts': '', lock: '' })
  const touch = (name: string, seconds: number) => utimesSync(folder.path(name), seconds, seconds)
  for (const name of ['src/deep/a.ts', 'src/b.ts', 'src/deep', 'src', 'lock']) touch(name, built - 1)
  touch('dist/built.json', built)
  const fresh = () => isFresh(folder.path('dist/built.json'), [folder.path('src'), folder.path('lock')])
  return { folder, touch, fresh, [Symbol.dispose]: () => folder[Symbol.dispose]() }
}

it('is fresh when nothing is newer', () => {
  using one = project()
  expect(one.fresh()).toBe(true)
})

it.each(['lock', 'src/b.ts', 'src/deep/a.ts'])('is stale when %s is newer', (name) => {
  using one = project()
  one.touch(name, built + 1)
  expect(one.fresh()).toBe(false)
})

it('is stale when a file was taken away', () => {
  using one = project()
  rmSync(one.folder.path('src/deep/a.ts'))
  expect(one.fresh()).toBe(false)
})

it('is stale when nothing was built, and asks nothing of sources that are not there', () => {
  using one = project()
  expect(isFresh(one.folder.path('dist/built.json'), [one.folder.path('nothing')])).toBe(true)
  rmSync(one.folder.path('dist/built.json'))
  expect(one.fresh()).toBe(false)
})
