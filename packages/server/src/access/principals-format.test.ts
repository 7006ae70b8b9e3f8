import { v2 } from '@pulseward/contract'
import fc from 'fast-check'
import { Compile } from 'typebox/compile'
import { describe, expect, it } from 'vitest'
import { formatPrincipals, idMistake, type Principal, parsePrincipals } from './principals-format.ts'
import { roles } from './roles.ts'
import { digestOf, makeToken } from './token.ts'

const digest = digestOf('a')
const other = digestOf('b')
const ann = { name: 'ann', role: 'operator', digest }
const document = (...principals: readonly unknown[]) => JSON.stringify({ version: 1, principals })

function mistakesOf(text: string): readonly string[] {
  const parsed = parsePrincipals(text)
  return 'mistakes' in parsed ? parsed.mistakes : []
}

describe('a principals file', () => {
  it('says who has which role, until when and for which job types', () => {
    const text = document(
      ann,
      { name: 'grafana', role: 'reader', digest: other, expires: '2027-01-31T12:00:00Z' },
      { name: 'w-1', role: 'worker', digest: digestOf('c'), jobTypes: ['disk', 'mail:send'] },
    )
    expect(parsePrincipals(text)).toEqual({
      principals: [
        { name: 'ann', role: 'operator', digest, expiresMs: null, jobTypes: [] },
        {
          name: 'grafana',
          role: 'reader',
          digest: other,
          expiresMs: Date.UTC(2027, 0, 31, 12),
          jobTypes: [],
        },
        {
          name: 'w-1',
          role: 'worker',
          digest: digestOf('c'),
          expiresMs: null,
          jobTypes: ['disk', 'mail:send'],
        },
      ],
    })
  })

  it('may have no principals', () => {
    expect(parsePrincipals(document())).toEqual({ principals: [] })
  })

  it('is read as it was written', () => {
    const anId = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._:-]{0,40}$/)
    const principal = fc
      .record({
        name: anId,
        role: fc.constantFrom(...roles),
        digest: fc.string().map(digestOf),
        expiresMs: fc.option(fc.nat({ max: Date.UTC(9999, 0) })),
        ids: fc.uniqueArray(anId, { minLength: 1, maxLength: 4 }),
      })
      .map(
        ({ ids, ...rest }): Principal => ({
          ...rest,
          jobTypes: rest.role === 'worker' ? ids : [],
          ...(rest.role === 'probe' ? { locations: ids } : {}),
        }),
      )
    const list = fc.uniqueArray(principal, {
      comparator: (one, two) => one.name === two.name || one.digest === two.digest,
    })
    fc.assert(
      fc.property(list, (principals) => {
        expect(parsePrincipals(formatPrincipals(principals))).toEqual({ principals })
      }),
    )
  })

  it.each<[what: string, text: string, mistake: string]>([
    ['no text', '', 'it is not JSON'],
    ['text after a mistake', '{\n  "version": 1,\n}', 'line 3: it is not JSON'],
    ['a list', '[]', 'it must be an object with version and principals'],
    ['null', 'null', 'it must be an object with version and principals'],
    ['no version', '{"principals": []}', 'version: must be 1; a newer Pulseward may have written the file'],
    [
      'another version',
      '{"version": 2, "people": {}}',
      'version: must be 1; a newer Pulseward may have written the file',
    ],
    ['no list', '{"version": 1}', 'principals: must be a list'],
    [
      'another field',
      '{"version": 1, "principals": [], "pricipals": []}',
      '"pricipals": there is no such field; known are version, principals',
    ],
    [
      'a field that JavaScript knows',
      '{"version": 1, "principals": [], "__proto__": {}}',
      '"__proto__": there is no such field; known are version, principals',
    ],
    [
      'a string for a principal',
      '{"version": 1, "principals": ["ann"]}',
      'principals[0]: must be an object with name, role and digest',
    ],
    [
      'another field of a principal',
      document({ ...ann, expiry: '2027-01-31T12:00:00Z' }),
      'principals[0]."expiry": there is no such field; known are name, role, digest, expires, jobTypes, locations',
    ],
    [
      'no name',
      document({ ...ann, name: undefined }),
      'principals[0].name: must be at most 128 letters, digits and . _ : -, beginning with a letter or digit',
    ],
    [
      'another role',
      document({ ...ann, role: 'admin' }),
      'principals[0].role: must be reader, operator, worker or probe',
    ],
    [
      'a role that JavaScript knows',
      document({ ...ann, role: 'constructor' }),
      'principals[0].role: must be reader, operator, worker or probe',
    ],
    [
      'a digest in upper case',
      document({ ...ann, digest: digest.toUpperCase() }),
      'principals[0].digest: must be sha256: and 64 hexadecimal digits in lower case',
    ],
    [
      'two equal names',
      document(ann, { ...ann, digest: other }),
      'principals[1].name: has the same name as principals[0]; names must be unique',
    ],
    [
      'two equal digests',
      document(ann, { ...ann, name: 'bob' }),
      'principals[1].digest: has the same digest as principals[0]; every principal needs its own token',
    ],
    [
      'job types of an operator',
      document({ ...ann, jobTypes: ['disk'] }),
      'principals[0].jobTypes: only a worker has job types',
    ],
    [
      'a worker without job types',
      document({ ...ann, role: 'worker' }),
      'principals[0].jobTypes: a worker needs a list of 1 to 256 job types',
    ],
    [
      'a worker with an empty list',
      document({ ...ann, role: 'worker', jobTypes: [] }),
      'principals[0].jobTypes: a worker needs a list of 1 to 256 job types',
    ],
    [
      'a job type that is not an id',
      document({ ...ann, role: 'worker', jobTypes: ['disk', 'a b'] }),
      'principals[0].jobTypes[1]: must be at most 128 letters, digits and . _ : -, beginning with a letter or digit',
    ],
    [
      'a job type twice',
      document({ ...ann, role: 'worker', jobTypes: ['disk', 'disk'] }),
      'principals[0].jobTypes: lists a job type twice',
    ],
    [
      'locations of an operator',
      document({ ...ann, locations: ['fra'] }),
      'principals[0].locations: only a probe has locations',
    ],
    [
      'a probe without locations',
      document({ ...ann, role: 'probe', locations: [] }),
      'principals[0].locations: a probe needs a list of 1 to 64 locations',
    ],
    [
      'a probe of the service itself',
      document({ ...ann, role: 'probe', locations: ['local'] }),
      'principals[0].locations: local is the service itself, which no probe serves',
    ],
    [
      'a location twice',
      document({ ...ann, role: 'probe', locations: ['fra', 'fra'] }),
      'principals[0].locations: lists a location twice',
    ],
    [
      'a role twice in one principal',
      `{"version": 1, "principals": [{"name": "ann", "role": "reader", "digest": "${digest}", "role": "operator"}]}`,
      'an object has the same field twice',
    ],
  ])('with %s is refused', (_what, text, mistake) => {
    expect(mistakesOf(text)).toEqual([mistake])
  })

  it.each([
    '2027-02-30T00:00:00Z',
    '2027-01-31T24:00:00Z',
    '2027-01-31T12:00:00+01:00',
    '2027-01-31 12:00:00Z',
    '2027-01-31',
    '90d',
    '',
    1_800_000_000_000,
    null,
  ])('with %j as expiry is refused', (expires) => {
    expect(mistakesOf(document({ ...ann, expires }))).toEqual([
      'principals[0].expires: must be a moment in UTC, such as 2027-01-31T12:00:00Z',
    ])
  })

  it('is told all of its mistakes at once', () => {
    expect(mistakesOf(document({ ...ann, role: 'root', digest: '' }, 17))).toHaveLength(3)
  })

  it('that is nested deeply is refused like any other', () => {
    const deep = '['.repeat(200_000) + ']'.repeat(200_000)
    expect(mistakesOf(`{"version": 1, "principals": ${deep}}`)).toEqual([
      'principals[0]: must be an object with name, role and digest',
    ])
  })

  it('never has a value repeated, since it may be a token', () => {
    const token = makeToken()
    const texts = [
      `{"version": 1, "principals": [ ${token} ]}`,
      `{"version": 1, "principals": [{"name": "${token}, "role": "reader"}]}`,
      JSON.stringify({ version: token, principals: [] }),
      JSON.stringify({ version: 1, principals: [], [token]: 1 }),
      document({ ...ann, [token]: token }),
      document({ ...ann, name: token }),
      document({ ...ann, role: token }),
      document({ ...ann, digest: token }),
      document({ ...ann, expires: token }),
      document({ ...ann, jobTypes: token }),
      document({ ...ann, role: 'worker', jobTypes: [token] }),
    ]
    for (const text of texts) {
      expect(mistakesOf(text)).toHaveLength(1)
      expect(mistakesOf(text).join()).not.toContain(token.slice(3, 40))
    }
  })

  it('takes the same ids as resources have, but no token for one', () => {
    const isId = Compile(v2.Metadata.properties.id)
    const text = fc.oneof(fc.string(), fc.stringMatching(/^[A-Za-z0-9._:-]{0,130}$/))
    fc.assert(
      fc.property(text, (name) => {
        expect(idMistake(name) === null).toBe(isId.Check(name))
      }),
    )
    expect(idMistake(makeToken())).toBe('looks like a token; write an id instead')
  })
})
