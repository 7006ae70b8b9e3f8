import { temporaryFolder } from '@pulseward/testing'
import { loadFleetFiles, mistakesIn } from '@pulseward/testing/fleet'
import { describe, expect, it } from 'vitest'
import { driverShapes } from '../driver-shapes.ts'
import { mapSecrets } from './credentials.ts'

describe('a credential', () => {
  it('comes from the environment', async () => {
    const { credentials } = await loadFleetFiles('credentials: { hook: { env: HOOK } }\n', {
      environment: { HOOK: ' hunter2 ' },
    })
    expect(credentials).toEqual(new Map([['hook', ' hunter2 ']]))
  })

  it('comes from a file, without its last line end', async () => {
    using secrets = temporaryFolder({
      unix: 'hunter2\n',
      windows: 'hunter2\r\n',
      bare: 'hunter2',
      two: 'a\n\n',
    })
    const text = ['unix', 'windows', 'bare', 'two']
      .map((name) => `  ${name}: { file: ${JSON.stringify(secrets.path(name))} }\n`)
      .join('')
    const { credentials } = await loadFleetFiles(`credentials:\n${text}`)
    expect(Object.fromEntries(credentials)).toEqual({
      unix: 'hunter2',
      windows: 'hunter2',
      bare: 'hunter2',
      two: 'a\n',
    })
  })

  it('must be there', async () => {
    using secrets = temporaryFolder({ empty: '', 'line end': '\n' })
    const text = `credentials:
  a: { env: UNSET }
  b: { env: EMPTY }
  c: { file: ${secrets.path('none')} }
  d: { file: ${secrets.path('empty')} }
  e: { file: ${secrets.path('line end')} }
  f: { file: ${secrets.root} }
  g: {}
  h: { env: A, file: b }
`
    expect(await mistakesIn(text, { environment: { EMPTY: '', A: 'x' } })).toEqual([
      '2: credentials.a.env: the environment variable UNSET is not set.',
      '3: credentials.b.env: the environment variable EMPTY is empty.',
      `4: credentials.c.file: the file ${secrets.path('none')} does not exist.`,
      `5: credentials.d.file: the file ${secrets.path('empty')} is empty.`,
      `6: credentials.e.file: the file ${secrets.path('line end')} is empty.`,
      `7: credentials.f.file: the file ${secrets.root} cannot be read (EISDIR).`,
      '8: credentials.g: needs env or file, one of them.',
      '9: credentials.h: needs env or file, one of them.',
    ])
  })
})

describe('a secret that stands in the file', () => {
  const monitor = (config: string) =>
    `monitors:\n  - name: a\n    check:\n      type: http\n      config: ${config}\n`
  const places: Record<string, string> = {
    'where a reference belongs': monitor('{ url: http://a/, auth: { bearer: hunter2 } }'),
    'as a number': monitor('{ url: http://a/, auth: { bearer: 424242 } }'),
    'as a number where text may be open': monitor('{ url: http://a/, headers: { key: 424242 } }'),
    'as a list': monitor('{ url: http://a/, auth: { bearer: [hunter2] } }'),
    'in a mapping of its own': monitor('{ url: http://a/, auth: { bearer: { value: hunter2 } } }'),
    'in an endpoint': 'endpoints: { ops: { type: slack, config: { hook: https://hooks.test/hunter2 } } }\n',
    'as a credential': 'credentials: { hook: hunter2 }\n',
    'as a numeric credential': 'credentials: { hook: 424242 }\n',
    'as the name of a variable': 'credentials: { hook: { env: "sk-hunter2" } }\n',
    'under a key that is not known': 'credentials: { hook: { value: hunter2 } }\n',
  }
  for (const [title, text] of Object.entries(places)) {
    it(`is refused and not repeated ${title}`, async () => {
      const mistakes = await mistakesIn(text)
      expect(mistakes).not.toEqual([])
      expect(mistakes.join('\n')).not.toMatch(/hunter2|424242/)
    })
  }

  it('is answered with what to write instead', async () => {
    expect(await mistakesIn('endpoints:\n  ops: { type: slack, config: { hook: hunter2 } }\n')).toEqual([
      '2: endpoints.ops.config.hook: a secret never stands in a fleet file; expected: a reference to a credential: { credential: NAME }.',
    ])
    expect(await mistakesIn('credentials:\n  hook: hunter2\n')).toEqual([
      '2: credentials.hook: a secret never stands in a fleet file; expected: where the value comes from: { env: NAME } or { file: PATH }.',
    ])
  })

  it('is not part of the definition', async () => {
    const text = `credentials: { token: { env: TOKEN } }\n${monitor('{ url: http://a/, auth: { bearer: { credential: token } } }')}`
    const { definition } = await loadFleetFiles(text, { environment: { TOKEN: 'hunter2' } })
    const bytes = Buffer.concat(definition.configs.chunks.map((chunk) => Buffer.from(chunk)))
    expect(bytes.includes('hunter2')).toBe(false)
    expect(bytes.includes('{"credential":"token"}')).toBe(true)
  })
})

describe('mapping the secrets of a configuration', () => {
  const schema = driverShapes.checks['http']!.config
  const config = {
    url: 'http://a/',
    headers: { open: 'x', secret: { credential: 'h' } },
    auth: { basic: { username: { credential: 'u' }, password: { credential: 'p' } } },
    expect: { body: { json: [{ path: '$.credential', equals: 'credential' }] } },
  }

  it('replaces every reference and nothing else', () => {
    expect(mapSecrets(schema, config, (name) => `<${name}>`)).toEqual({
      ...config,
      headers: { open: 'x', secret: '<h>' },
      auth: { basic: { username: '<u>', password: '<p>' } },
    })
  })

  it('tells the path of each', () => {
    const paths: string[] = []
    mapSecrets(schema, config, (_, path) => paths.push(path.join('.')))
    expect(paths).toEqual([
      'headers.secret.credential',
      'auth.basic.username.credential',
      'auth.basic.password.credential',
    ])
  })
})
