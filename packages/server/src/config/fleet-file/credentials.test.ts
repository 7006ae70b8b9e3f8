import { execFileSync } from 'node:child_process'
import { temporaryFolder } from '@pulseward/testing'
import { loadFleetFiles, mistakesIn } from '@pulseward/testing/fleet'
import { describe, expect, it } from 'vitest'

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

  it('is not waited for', async () => {
    using secrets = temporaryFolder()
    execFileSync('mkfifo', [secrets.path('fifo')])
    expect(await mistakesIn(`credentials: { a: { file: ${secrets.path('fifo')} } }\n`)).toEqual([
      `1: credentials.a.file: the file ${secrets.path('fifo')} is not a regular file.`,
    ])
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
      '2: credentials.a.env: the environment variable UNSET is not set; set it where the service runs.',
      '3: credentials.b.env: the environment variable EMPTY is empty; set it where the service runs.',
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
      '2: endpoints.ops.config.hook: a secret must not be written in a fleet file; write a reference to a credential: { credential: NAME }.',
    ])
    expect(await mistakesIn('credentials:\n  hook: hunter2\n')).toEqual([
      '2: credentials.hook: a secret must not be written in a fleet file; write where the value comes from: { env: NAME } or { file: PATH }.',
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

describe('a credential at a field that is not secret', () => {
  const fleet = (config: string, more = '') =>
    `credentials: { place: { env: PLACE } }\nmonitors:\n  - name: a\n    check: { type: http, config: ${config} }\n${more}`
  const url = '{ url: { credential: place } }'

  it('is taken at any text field of a check, a recovery and an endpoint', async () => {
    const endpoints = 'endpoints: { ops: { type: ntfy, config: { topic: { credential: place } } } }\n'
    const { definition } = await loadFleetFiles(fleet(url, endpoints), {
      environment: { PLACE: 'https://shop.test/' },
    })
    expect(definition.count).toBe(1)
    expect(definition.endpoints.get('ops')?.config).toEqual({ topic: { credential: 'place' } })
  })

  it('is held against the field, also when the credential is defined behind it, and its value is not shown', async () => {
    const text =
      `monitors:\n  - name: a\n    check: { type: http, config: ${url} }\n---\ncredentials: { place: { env: PLACE } }\n` +
      'endpoints: { ops: { type: ntfy, config: { topic: t, api_url: { credential: place } } } }\n'
    expect(await mistakesIn(text, { environment: { PLACE: 'hunter2' } })).toEqual([
      '3: monitors[0].check.config.url: the value of the credential "place" does not fit; expected: an http or https URL, such as https://shop.example/health.',
      '6: endpoints.ops.config.api_url: the value of the credential "place" does not fit; expected: an http or https URL, such as https://shop.example/health.',
    ])
  })

  it('has to be defined', async () => {
    expect(await mistakesIn(`monitors:\n  - name: a\n    check: { type: http, config: ${url} }\n`)).toEqual([
      '3: monitors[0].check.config.url.credential: there is no credential "place". No credentials are defined.',
    ])
  })

  it('is refused where no text is taken, and in lists', async () => {
    const environment = { PLACE: 'x' }
    const check = (written: string) =>
      `credentials: { place: { env: PLACE } }\nmonitors:\n  - name: a\n    check: ${written}\n`
    const port = check('{ type: tcp, config: { host: a, port: { credential: place } } }')
    expect(await mistakesIn(port, { environment })).toHaveLength(1)
    const entry = check('{ type: kafka, config: { brokers: [{ credential: place }] } }')
    expect(await mistakesIn(entry, { environment })).toHaveLength(1)
  })
})

describe('a credential at a secret field of one line', () => {
  const fleet = `credentials: { key: { env: KEY } }
endpoints: { ops: { type: opsgenie, config: { api_key: { credential: key } } } }
monitors:
  - name: a
    check:
      type: http
      config:
        url: http://shop/
        headers:
          x-key: { credential: key }
    recovery: { type: webhook, config: { url: http://fix/, headers: { k: { credential: key } } } }
`

  it('is refused with a line break, at each line that uses it', async () => {
    const words =
      'the value of the credential "key" does not fit; expected: text without line breaks and other control characters.'
    expect(await mistakesIn(fleet, { environment: { KEY: 'hunter2\n' } })).toEqual([
      `2: endpoints.ops.config.api_key: ${words}`,
      `10: monitors[0].check.config.headers.x-key: ${words}`,
      `11: monitors[0].recovery.config.headers.k: ${words}`,
    ])
    expect(await mistakesIn(fleet, { environment: { KEY: 'hunter2' } })).toEqual([])
  })

  it('is refused with a line break that is written openly, which is not shown', async () => {
    const written =
      'monitors:\n  - name: a\n    check:\n      type: http\n      config:\n        url: http://a/\n'
    expect(await mistakesIn(`${written}        headers: { x-key: "hunter2\\n" }\n`)).toEqual([
      '7: monitors[0].check.config.headers.x-key: what is written is not allowed here; expected: text without line breaks and other control characters.',
    ])
  })
})
