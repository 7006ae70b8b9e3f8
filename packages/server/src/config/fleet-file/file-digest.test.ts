import { temporaryFolder } from '@pulseward/testing'
import { describe, expect, it } from 'vitest'
import { digestOfAll } from './file-digest.ts'

describe('the digest of all fleet files', () => {
  it('is the same on every machine that has the same files, wherever they are', async () => {
    using here = temporaryFolder({ 'a.yaml': 'one', 'b.yaml': 'two' })
    using there = temporaryFolder({ 'x.yaml': 'one', 'y.yaml': 'two' })
    const digest = await digestOfAll([here.path('a.yaml'), here.path('b.yaml')])
    expect(await digestOfAll([there.path('x.yaml'), there.path('y.yaml')])).toBe(digest)
  })

  it.each([
    ['another content', ['one', 'too']],
    ['another order', ['two', 'one']],
    ['the same text cut elsewhere', ['onet', 'wo']],
    ['a file less', ['one']],
  ])('is another one for %s', async (_, contents) => {
    const files = (texts: readonly string[]) =>
      temporaryFolder(Object.fromEntries(texts.map((text, index) => [`${index}.yaml`, text])))
    const digestOf = (folder: ReturnType<typeof files>, count: number) =>
      digestOfAll(Array.from({ length: count }, (_unused, index) => folder.path(`${index}.yaml`)))
    using usual = files(['one', 'two'])
    using other = files(contents)
    expect(await digestOf(other, contents.length)).not.toBe(await digestOf(usual, 2))
  })
})
