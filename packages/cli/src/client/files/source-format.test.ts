import { describe, expect, it } from 'vitest'
import { formatOf } from './source-format.ts'

const resource = '{"apiVersion":"pulseward/v2","kind":"Monitor"}'

describe('the format of a file', () => {
  it.each([
    ['a.yaml', '# comment\n---\napiVersion: pulseward/v2\n', { isLines: false, isFleet: false }],
    ['a.yaml', 'items:\n  - kind: Monitor\n', { isLines: false, isFleet: false }],
    ['a.yaml', 'version: 1\nmonitors: []\n', { isLines: false, isFleet: true }],
    ['a.yaml', '--- \n"endpoints": {}\n', { isLines: false, isFleet: true }],
    ['a.json', '{\n  "monitors": []\n}\n', { isLines: false, isFleet: true }],
    ['a.json', resource, { isLines: false, isFleet: false }],
    ['a.ndjson', resource, { isLines: true, isFleet: false }],
    ['a.ndjson', '{"id":"a","name":"A","check":{"type":"tcp"}}\n', { isLines: true, isFleet: true }],
    ['-', `${resource}\n\n${resource}\n`, { isLines: true, isFleet: false }],
    ['-', `${resource}\n---\n${resource}\n`, { isLines: false, isFleet: false }],
    ['-', `${resource}\n`, { isLines: false, isFleet: false }],
    ['-', '', { isLines: false, isFleet: false }],
    ['-', '{ "kind":\n{ "x": 1 } }', { isLines: false, isFleet: false }],
  ])('%s with %j is told from its beginning', (name, head, format) => {
    expect(formatOf(name, head)).toEqual(format)
  })
})
