import { describe, expect, it } from 'vitest'
import { driverShapes } from '../driver-shapes.ts'
import { mapReferences, openReferences } from './credential-places.ts'
import { valueMistakes } from './credential-values.ts'
import type { DriverShape } from './schema.ts'

function shapeOf(kind: keyof typeof driverShapes, type: string): DriverShape {
  const shape = driverShapes[kind][type]
  if (shape === undefined) throw new Error(`there is no ${type}`)
  return shape
}

const http = shapeOf('checks', 'http')

describe('the references in options', () => {
  const config = {
    url: { credential: 'u' },
    headers: { open: 'x', secret: { credential: 'h' } },
    auth: { basic: { username: { credential: 'n' }, password: { credential: 'p' } } },
    expect: { body: { json: [{ path: '$.credential', equals: 'credential' }] } },
  }

  it('are found at secret places and at every other text field', () => {
    expect(mapReferences(http.config, config, ({ name }) => `<${name}>`)).toEqual({
      ...config,
      url: '<u>',
      headers: { open: 'x', secret: '<h>' },
      auth: { basic: { username: '<n>', password: '<p>' } },
    })
    expect(openReferences(http.config, config)).toEqual([{ path: ['url'], name: 'u', isSecret: false }])
  })

  it('tell their place, and whether it is secret', () => {
    const places: string[] = []
    mapReferences(http.config, config, ({ path, isSecret }) =>
      places.push(`${path.join('.')} ${isSecret ? 'secret' : 'open'}`),
    )
    expect(places).toEqual([
      'url open',
      'headers.secret secret',
      'auth.basic.username secret',
      'auth.basic.password secret',
    ])
  })

  it.each([
    ['numbers', { port: { credential: 'x' } }],
    ['lists', { expect: { body: { json: [{ path: { credential: 'x' } }] } } }],
    ['mappings with more in them', { url: { credential: 'x', more: 1 } }],
    ['unknown keys', { toString: { credential: 'x' }, constructor: { credential: 'x' } }],
  ])('are not taken for one in %s', (_, options) => {
    const same = mapReferences(http.config, options, () => 'replaced')
    expect(same).toEqual(options)
  })
})

describe('the values of credentials in options', () => {
  const of = (value: string | null) => valueMistakes(http, { url: { credential: 'u' } }, () => value)

  it('are right where they fit, and are not judged where there are none', () => {
    expect(of('https://shop.test/')).toEqual([])
    expect(of(null)).toEqual([])
  })

  it('are refused without being repeated', () => {
    expect(of('hunter2 is no URL')).toEqual([
      {
        path: ['url'],
        message:
          'the value of the credential "u" does not fit; expected: an http or https URL, such as https://shop.example/health.',
        reference: { path: ['url'], name: 'u', isSecret: false },
        expected: 'an http or https URL, such as https://shop.example/health.',
      },
    ])
  })

  it('are held against the rules of the driver too', () => {
    const docker = shapeOf('recoveries', 'docker')
    const config = { container: 'web', engine: { credential: 'e' } }
    expect(valueMistakes(docker, config, () => 'tcp://db.test:2375')).toEqual([])
    const [mistake, ...others] = valueMistakes(docker, config, () => 'tcp://hunter2:99999999')
    expect(others).toEqual([])
    expect(mistake?.path).toEqual(['engine'])
    expect(mistake?.message).not.toContain('hunter2')
  })
})
