import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { driverShapes } from '../config/driver-shapes.ts'
import type { Json } from '../platform/json/json.ts'
import { changedFields, type FieldChange, type ResourceContent } from './changed-fields.ts'
import type { DriverSchemas } from './redact-config.ts'

const { checks, notifiers, recoveries } = driverShapes
const byCategory = { check: checks, recovery: recoveries, notification: notifiers }
const schemas: DriverSchemas = (category, type) => byCategory[category][type]?.config ?? null

const monitor = (spec: Json, metadata: Pick<ResourceContent, 'name' | 'labels'> = {}): ResourceContent => ({
  kind: 'Monitor',
  spec,
  ...metadata,
})
const http = (config: Json, more: Record<string, Json> = {}): Json => ({
  check: { driver: { type: 'http', config }, interval: '30s', timeout: '5s' },
  ...more,
})

const changes = (before: ResourceContent, after: ResourceContent): FieldChange[] =>
  changedFields(before, after, schemas)

describe('the changes of a resource', () => {
  it('name each field by its pointer, with the text before and after', () => {
    const before = monitor(http({ url: 'https://a.test/' }, { enabled: true, tags: ['a'] }), {
      name: 'Shop',
      labels: { team: 'payments', tier: '1' },
    })
    const after = monitor(
      {
        check: {
          driver: { type: 'http', config: { url: 'https://b.test/' } },
          interval: '10s',
          timeout: '5s',
        },
        enabled: false,
        tags: ['a', 'b'],
        recovery: { driver: { type: 'systemd', config: { unit: 'shop.service' } } },
      },
      { name: 'The shop', labels: { team: 'search', 'a/b': '' } },
    )
    expect(changes(before, after)).toEqual([
      { field: '/metadata/labels/a~1b', after: '' },
      { field: '/metadata/labels/team', before: 'payments', after: 'search' },
      { field: '/metadata/labels/tier', before: '1' },
      { field: '/metadata/name', before: 'Shop', after: 'The shop' },
      { field: '/spec/check/driver/config/url', before: 'https://a.test/', after: 'https://b.test/' },
      { field: '/spec/check/interval', before: '30s', after: '10s' },
      { field: '/spec/enabled', before: 'true', after: 'false' },
      {
        field: '/spec/recovery',
        after: '{"driver":{"config":{"unit":"shop.service"},"type":"systemd"}}',
      },
      { field: '/spec/tags', before: '["a"]', after: '["a","b"]' },
    ])
  })

  it('are none when only the order of keys differs', () => {
    const spec = http({ url: 'https://a.test/', method: 'GET' })
    const reordered = {
      check: {
        timeout: '5s',
        interval: '30s',
        driver: { config: { method: 'GET', url: 'https://a.test/' }, type: 'http' },
      },
    }
    expect(changes(monitor(spec), monitor(reordered))).toEqual([])
  })

  it('tell values of different types apart, and a null from nothing', () => {
    expect(changes(monitor({ a: '1', b: null, c: 'x' }), monitor({ a: 1, b: 'null', c: {} }))).toEqual([
      { field: '/spec/a', before: '1', after: '1' },
      { field: '/spec/b', before: 'null', after: 'null' },
      { field: '/spec/c', before: 'x', after: '{}' },
    ])
    expect(changes(monitor({}), monitor({ a: null }))).toEqual([{ field: '/spec/a', after: 'null' }])
  })

  it('show that a secret changed, and nothing of it', () => {
    const secrets = (word: string) =>
      http({
        url: `https://${word}:${word}@a.test/?k=${word}`,
        headers: { authorization: word },
        body: word,
        auth: { bearer: { credential: 'NAME' } },
      })
    const found = changes(monitor(secrets('SECRET1')), monitor(secrets('SECRET2')))
    const url = 'https://[REDACTED]@a.test/?k=[REDACTED]'
    expect(found).toEqual([
      { field: '/spec/check/driver/config/body', before: '[REDACTED]', after: '[REDACTED]' },
      { field: '/spec/check/driver/config/headers/authorization', before: '[REDACTED]', after: '[REDACTED]' },
      { field: '/spec/check/driver/config/url', before: url, after: url },
    ])
    const credential = (value: string): ResourceContent => ({ kind: 'Credential', spec: { value } })
    expect(changes(credential('SECRET1'), credential('SECRET2'))).toEqual([
      { field: '/spec/value', before: '[REDACTED]', after: '[REDACTED]' },
    ])
  })

  it('follow each version by the driver that it has', () => {
    const before = monitor({ check: { driver: { type: 'tcp', config: { host: 'h', send: 'SECRET' } } } })
    const after = monitor({ check: { driver: { type: 'icmp', config: { host: 'h' } } } })
    expect(changes(before, after)).toEqual([
      { field: '/spec/check/driver/config/send', before: '[REDACTED]' },
      { field: '/spec/check/driver/type', before: 'tcp', after: 'icmp' },
    ])
  })

  it('take every key for data', () => {
    const [before, after] = ['{"__proto__":{"a":1}}', '{"__proto__":{"a":2},"constructor":3}'].map((text) =>
      monitor(JSON.parse(text)),
    ) as [ResourceContent, ResourceContent]
    expect(changes(before, after)).toEqual([
      { field: '/spec/__proto__/a', before: '1', after: '2' },
      { field: '/spec/constructor', after: '3' },
    ])
  })

  it('cut a long text between two characters', () => {
    const [found] = changes(monitor({ a: 'x' }), monitor({ a: `x${'🗝'.repeat(400)}` }))
    expect(found?.after).toBe(`x${'🗝'.repeat(249)}…`)
  })

  it('say in a last entry how many more there are than 64', () => {
    const labels = (value: string, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, value]))
    const of = (count: number) =>
      changes(monitor({}, { labels: labels('a', count) }), monitor({}, { labels: labels('b', count) }))
    expect(of(64)).toHaveLength(64)
    expect(of(64).at(-1)).toMatchObject({ before: 'a' })
    expect(of(65)).toHaveLength(64)
    expect(of(65).at(-1)).toEqual({ field: '', after: 'and 2 more fields' })
  })

  it('leave out what does not fit into 8 KiB, and count it', () => {
    const spec = (value: string): Json => ({ ['k'.repeat(9_000)]: value, l: value })
    expect(changes(monitor(spec('a')), monitor(spec('b')))).toEqual([
      { field: '/spec/l', before: 'a', after: 'b' },
      { field: '', after: 'and 1 more field' },
    ])
  })

  it('stay within their bounds, name each field once, and count all that changed', () => {
    const scalar = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 1_200 }),
      fc.constantFrom(null, true, false, 0, 1.5, ''),
    )
    const spec = fc.dictionary(
      fc.oneof(fc.constantFrom('a', 'b', 'c'), fc.string({ maxLength: 300 })),
      fc.oneof(scalar, fc.array(scalar, { maxLength: 3 })),
      { maxKeys: 90, size: 'max' },
    )
    const count = (found: readonly FieldChange[]): number => {
      const named = found.filter(({ field }) => field !== '')
      const more = /^and (\d+) more fields?$/.exec(found.at(-1)?.after ?? '')?.[1]
      return named.length + (found.length === named.length ? 0 : Number(more))
    }
    fc.assert(
      fc.property(spec, spec, (before, after) => {
        const found = changes(monitor(before), monitor(after))
        expect(found.length).toBeLessThanOrEqual(64)
        expect(Buffer.byteLength(JSON.stringify(found))).toBeLessThanOrEqual(8_192)
        expect(new Set(found.map(({ field }) => field)).size).toBe(found.length)
        const keys = new Set([...Object.keys(before), ...Object.keys(after)])
        const text = (object: Record<string, Json>, key: string) =>
          Object.hasOwn(object, key) ? JSON.stringify(object[key]) : null
        const changed = [...keys].filter((key) => text(before, key) !== text(after, key))
        expect(count(found)).toBe(changed.length)
      }),
    )
  })
})
