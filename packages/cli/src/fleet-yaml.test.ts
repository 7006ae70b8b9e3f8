import fc from 'fast-check'
import { CORE_SCHEMA, dump, load, mergeTag } from 'js-yaml'
import { describe, expect, it } from 'vitest'
import { fleetYaml } from './fleet-yaml.ts'

const schema = CORE_SCHEMA.withTags(mergeTag)
const word = fc.oneof(
  fc.constantFrom(
    'a',
    'Shop 12',
    'https://shop.example:443/x_y',
    '1m',
    '200-299',
    'shop-api',
    '$.status',
    'No',
    'x: y',
    'a:b',
    '1e3',
    '0x1f',
    '-',
    '',
  ),
  fc.string({ maxLength: 8 }),
  fc.stringMatching(/^[$A-Za-z0-9 :./()_+-]{0,12}$/),
)
const { value: anything } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    word,
    fc.integer(),
    fc.boolean(),
    fc.double({ noNaN: true }),
    fc.constant(null),
    tie('list'),
    tie('mapping'),
  ),
  list: fc.array(tie('value'), { maxLength: 3 }),
  mapping: fc.dictionary(
    word.filter((key) => key !== '__proto__' && key !== '<<'),
    tie('value'),
    { maxKeys: 4, noNullPrototype: true },
  ),
}))

describe('the YAML of fleet files', () => {
  it('is what the library writes, and is read as what was written', () => {
    fc.assert(
      fc.property(fc.array(anything, { minLength: 1, maxLength: 3 }), (items) => {
        const text = fleetYaml(items)
        expect(text).toBe(items.map((item) => dump([item], { schema, noRefs: true, lineWidth: -1 })).join(''))
        expect(load(text, { schema })).toEqual(items)
      }),
      { numRuns: 2_000 },
    )
  })
})
