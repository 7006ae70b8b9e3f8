import { describe, expect, it } from 'vitest'
import { contentMistakes, sizeBounds } from './content-rules.ts'

const name = '@pulseward/client'
const allowed = [
  'package.json',
  'README.md',
  'LICENSE',
  'dist/index.js',
  'dist/index.d.ts',
  'dist/index.js.map',
]

function mistakesOf(paths: readonly string[], sizes: { packedBytes?: number; unpackedBytes?: number } = {}) {
  const files = paths.map((path) => ({ path, bytes: 10 }))
  return contentMistakes({ name, files, packedBytes: 10, unpackedBytes: 60, ...sizes })
}

describe('the contents of a package', () => {
  it('may be compiled code with its declarations and small maps', () => {
    expect(mistakesOf(allowed)).toEqual([])
  })

  it.each([
    ['dist/index.test.js', 'is for tests'],
    ['dist/peers.fixture.d.ts', 'is for tests'],
    ['src/index.js', 'lies in a folder of sources'],
    ['dist/index.ts', 'is a source'],
    ['dist/view.tsx', 'is a source'],
    ['tsconfig.build.json', 'is for the compiler'],
    ['dist/dashboard/.vite/manifest.json', 'is hidden'],
    ['.npmrc', 'is hidden'],
    ['node_modules/pino/package.json', 'is an installed dependency'],
    ['pulseward.db', 'looks like data or a secret'],
  ])('may not be %s, which %s', (path, why) => {
    expect(mistakesOf([...allowed, path])).toEqual([`${name} has ${path}, which ${why}.`])
  })

  it('needs a license, a README and a package.json', () => {
    expect(mistakesOf(['dist/index.js'])).toEqual([
      `${name} has no package.json.`,
      `${name} has no README.md.`,
      `${name} has no LICENSE.`,
    ])
  })

  it('has no map of more than a megabyte', () => {
    const files = [
      ...allowed.slice(0, 3).map((path) => ({ path, bytes: 1 })),
      { path: 'a.map', bytes: 1_000_001 },
    ]
    expect(contentMistakes({ name, files, packedBytes: 1, unpackedBytes: 1 })).toEqual([
      `${name} has a.map, which is a map of 1000001 bytes.`,
    ])
  })

  it('keeps to its bounds, packed and unpacked', () => {
    const { packedBytes, unpackedBytes } = sizeBounds[name]!
    expect(mistakesOf(allowed, { packedBytes, unpackedBytes })).toEqual([])
    const over = { packedBytes: packedBytes + 1, unpackedBytes: unpackedBytes + 1 }
    expect(mistakesOf(allowed, over)).toEqual([
      `${name} packed has ${over.packedBytes} bytes, more than ${packedBytes}.`,
      `${name} unpacked has ${over.unpackedBytes} bytes, more than ${unpackedBytes}.`,
    ])
  })

  it('is refused where nobody has set bounds', () => {
    expect(contentMistakes({ name: 'other', files: [], packedBytes: 0, unpackedBytes: 0 })).toHaveLength(1)
  })
})
