// Holds the published schemas against a validator that knows nothing of the house, in its strictest mode.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { load } from 'js-yaml'
import { describe, expect, it } from 'vitest'
import { jsonSchemas } from './json-schemas.ts'

const root = join(import.meta.dirname, '../..')
const files = await jsonSchemas()
const fleet = compile('schemas/fleet.schema.json')
const settings = compile('schemas/settings.schema.json')

function compile(path: string): ValidateFunction {
  const validator = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true })
  return validator.compile(JSON.parse(files.get(path)!))
}

function mistakes(validate: ValidateFunction, value: unknown): string[] {
  validate(value)
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

function monitor(check: object, more: object = {}): object {
  return { monitors: [{ name: 'a', check, ...more }] }
}

describe('the JSON Schema of the fleet file', () => {
  const examples = [
    'examples/starter.yaml',
    'scripts/generate/*-examples/*.yaml',
    'packages/server/src/*/*/example.yaml',
  ]
  it.each(globSync(examples, { cwd: root }))('accepts %s', (path) => {
    expect(mistakes(fleet, load(readFileSync(join(root, path), 'utf8')))).toEqual([])
  })

  it.each([
    ['a URL', monitor({ type: 'http', config: { url: { credential: 'u' } } })],
    [
      'a word of a list of words',
      monitor({ type: 'http', config: { url: 'http://a.test', method: { credential: 'm' } } }),
    ],
    [
      'a host of a notification',
      { endpoints: { ops: { type: 'ntfy', config: { topic: { credential: 't' } } } } },
    ],
  ])('accepts a credential in place of %s', (_, document) => {
    expect(mistakes(fleet, document)).toEqual([])
  })

  it.each([
    ['an unknown key', { monitor: [] }],
    ['an unknown check', monitor({ type: 'htttp', config: { url: 'http://a.test' } })],
    ['an unknown option', monitor({ type: 'tcp', config: { host: 'a', port: 1, prot: 2 } })],
    ['a value out of its bounds', monitor({ type: 'tcp', config: { host: 'a', port: 70_000 } })],
    ['a check without its options', monitor({ type: 'http' })],
    [
      'a secret that stands in the file',
      monitor({ type: 'http', config: { url: 'http://a.test', auth: { bearer: 'hush' } } }),
    ],
    [
      'a credential in place of a number',
      monitor({ type: 'tcp', config: { host: 'a', port: { credential: 'p' } } }),
    ],
    ['a duration without a unit', monitor({ type: 'icmp', interval: '30', config: { host: 'a' } })],
    ['an endpoint with a name that is none', { endpoints: { '-': { type: 'log' } } }],
    ['an unknown option of a notification', { endpoints: { ops: { type: 'slack', config: { hok: 1 } } } }],
    [
      'an unknown recovery',
      monitor({ type: 'icmp', config: { host: 'a' } }, { recovery: { type: 'magic' } }),
    ],
  ])('refuses %s', (_, document) => {
    expect(mistakes(fleet, document)).not.toEqual([])
  })

  it('does not hold a check without a type against every driver', () => {
    expect(mistakes(fleet, monitor({ config: {} }))).toEqual([
      "/monitors/0/check must have required property 'type'",
    ])
  })
})

describe('the JSON Schema of the runtime file', () => {
  it('accepts the example of the documents', () => {
    const page = readFileSync(join(root, 'docs/configuration.md'), 'utf8')
    const example = /^```yaml(?: [^\n]*)?\n(listen:[\s\S]*?)^```$/m.exec(page)![1]!
    expect(mistakes(settings, load(example))).toEqual([])
  })

  it('accepts settings, nested where their names have a dot', () => {
    const document = {
      listen: '127.0.0.1:9000',
      log: { level: 'debug' },
      network: { resolver: ['127.0.0.1'] },
    }
    expect(mistakes(settings, document)).toEqual([])
  })

  it.each([
    ['an unknown setting', { lisen: '127.0.0.1:9000' }],
    ['an unknown setting of a section', { log: { levle: 'debug' } }],
    ['a value that is not allowed', { edition: 'first' }],
  ])('refuses %s', (_, document) => {
    expect(mistakes(settings, document)).not.toEqual([])
  })
})
