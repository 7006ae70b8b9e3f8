import { describe, expect, it } from 'vitest'
import { keyRows, typeInWords } from './schema-reference.ts'

const credential = {
  type: 'object',
  properties: { credential: { type: 'string' } },
  required: ['credential'],
  secret: true,
}
const openOrSecret = { anyOf: [{ type: 'string' }, credential] }

describe('the rows of a schema', () => {
  it('name nested keys by their path, through lists and mappings of names', () => {
    const host = { type: 'object', properties: { port: { type: 'integer' } } }
    const shape = {
      properties: { hosts: { type: 'array', items: host }, named: { patternProperties: { '.*': host } } },
    }
    expect(keyRows(shape).map(({ path }) => path)).toEqual([
      'hosts',
      'hosts[].port',
      'named',
      'named.NAME.port',
    ])
  })

  it('tell what is required, what is one of several forms, and what holds otherwise', () => {
    const forms = [
      { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
      { type: 'object', properties: { b: { type: 'string' } }, required: ['b'] },
    ]
    const shape = {
      properties: { must: { type: 'string' }, may: { type: 'integer', default: 3 }, form: { anyOf: forms } },
      required: ['must'],
    }
    expect(keyRows(shape).map(({ path, fallback }) => [path, fallback])).toEqual([
      ['must', 'required'],
      ['may', '`3`'],
      ['form', ''],
      ['form.a', 'one of these'],
      ['form.b', 'one of these'],
    ])
  })

  it('find every place of a secret and do not show the reference as keys', () => {
    const shape = {
      properties: {
        password: credential,
        user: openOrSecret,
        headers: { type: 'object', patternProperties: { '.*': openOrSecret } },
        host: { type: 'string' },
      },
    }
    expect(keyRows(shape).map(({ path, secret }) => [path, secret])).toEqual([
      ['password', 'only'],
      ['user', 'may'],
      ['headers', 'may'],
      ['host', null],
    ])
  })

  it('are shared by mappings side by side that say the same', () => {
    const same = () => ({ type: 'object', properties: { groups: { type: 'string' } } })
    const rows = keyRows({ properties: { red: same(), green: same(), other: { type: 'string' } } }, 'notify')
    expect(rows.map(({ path }) => path)).toEqual([
      'notify.{red,green}',
      'notify.{red,green}.groups',
      'notify.other',
    ])
  })
})

describe('a type in words', () => {
  it.each([
    [{ type: 'integer', minimum: 1, maximum: 9 }, 'whole number, 1 to 9'],
    [{ type: 'string', maxLength: 64 }, 'text of at most 64 characters'],
    [{ type: 'string', pattern: '^(0|[1-9][0-9]{0,8})(ms|s|m|h)$' }, 'duration'],
    [{ enum: ['any', 'ipv4'] }, '`any`, `ipv4`'],
    [
      { type: 'array', items: { type: 'boolean' }, minItems: 1, maxItems: 5 },
      'list of `true`, `false` (1 to 5)',
    ],
    [openOrSecret, 'text or credential'],
    [{ type: 'object', patternProperties: { '.*': credential } }, 'mapping of names to credential'],
  ])('%j is %s', (shape, words) => {
    expect(typeInWords(shape)).toBe(words)
  })
})
