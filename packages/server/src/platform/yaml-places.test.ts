import { describe, expect, it } from 'vitest'
import { YamlPlaces } from './yaml-places.ts'

const text = `name: a
check:
  type: http
  config:
    url:
      - one
      - {x: 1}
shared: &anchor
  y: 2
alias: *anchor
`

describe('the line of a path', () => {
  const places = new YamlPlaces(text)

  it.each([
    ['the whole text', [], 1],
    ['a scalar', ['check', 'type'], 3],
    ['a mapping, at its key', ['check'], 2],
    ['a list, at its key', ['check', 'config', 'url'], 5],
    ['an entry of a list', ['check', 'config', 'url', 1, 'x'], 7],
    ['a missing key, at what should hold it', ['check', 'timeout'], 2],
    ['what an alias hides, at the alias', ['alias', 'y'], 10],
  ])('is found for %s', (_what, path, line) => {
    expect(places.lineOf(path, false)).toBe(line)
  })
})
