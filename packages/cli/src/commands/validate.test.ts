import { temporaryFolder } from '@pulseward/testing'
import { describe, expect, it } from 'vitest'
import { runInProcess, withoutNotes } from '../client/command.fixture.ts'

const fleet = (credentials: string, url = '{ credential: place }') =>
  `credentials: ${credentials}\nmonitors:\n  - name: shop\n    check: { type: http, config: { url: ${url}, auth: { bearer: { credential: token } } } }\n`

async function validate(text: string, words: readonly string[], environment: Record<string, string> = {}) {
  using folder = temporaryFolder({ 'fleet.yaml': text })
  const { code, stdout, stderr } = await runInProcess(['validate', ...words, folder.path('fleet.yaml')], {
    environment,
  })
  return { code, stdout, stderr }
}

describe('validate --allow-unset', () => {
  const both = '{ token: { env: TOKEN }, place: { file: /none/place } }'

  it('judges a fleet whose values are not there yet, and names what is missing', async () => {
    expect((await validate(fleet(both), [])).stderr).toMatch(/variable TOKEN is not set(.|\n)*does not exist/)
    const { code, stdout, stderr } = await validate(fleet(both), ['--allow-unset'], { TOKEN: '' })
    expect([code, withoutNotes(stderr)]).toEqual([0, ''])
    expect(stdout).toMatch(/everything is right \(.* s\)\.\nNot set yet: TOKEN, \/none\/place\.\n$/)
  })

  it('says nothing of values when all are there', async () => {
    const { code, stdout } = await validate(
      fleet('{ token: { env: A }, place: { env: B } }'),
      ['--allow-unset'],
      {
        A: 'x',
        B: 'https://shop.example/',
      },
    )
    expect([code, stdout]).toEqual([0, expect.not.stringContaining('Not set')])
  })

  it.each([
    [
      'a value that is there and does not fit',
      fleet('{ token: { env: NONE }, place: { env: PLACE } }'),
      'the value of the credential "place" does not fit',
    ],
    ['a credential that is not defined', fleet('{ token: { env: NONE } }'), 'there is no credential "place"'],
    ['a credential without a source', fleet('{ token: {}, place: { env: NONE } }'), 'needs env or file'],
    [
      'a file that cannot be read',
      fleet('{ token: { file: / }, place: { env: NONE } }'),
      'cannot be read (EISDIR)',
    ],
    ['any other mistake', fleet(both, '7'), 'monitors[0].check.config.url'],
  ])('refuses %s', async (_, text, message) => {
    const { code, stderr } = await validate(text, ['--allow-unset'], { PLACE: 'nowhere' })
    expect([code, stderr]).toEqual([1, expect.stringContaining(message)])
  })
})

describe('validate of monitors with few locations', () => {
  const monitor = (name: string, locations: string, more = '') =>
    `  - { name: ${name}, check: { type: tcp, locations: [${locations}]${more}, config: { host: a, port: 1 } }, notify: { red: { endpoints: [log] } } }\n`
  const head = 'endpoints: { log: { type: log, config: {} } }\nmonitors:\n'

  it('notes what one location that is away decides, and is silent where it decides nothing', async () => {
    const monitors = [
      monitor('one', 'fra'),
      monitor('two', 'fra, iad'),
      monitor('also', 'fra, iad'),
      monitor('any', 'fra, iad, sin', ', fails_when: any'),
      monitor('three', 'fra, iad, sin'),
      monitor('here', 'local'),
    ]
    const { code, stderr } = await validate(`${head}${monitors.join('')}`, [])
    const advice = 'Three locations or more with fails_when: majority can lose one.\n'
    expect([code, stderr]).toEqual([
      0,
      `pulseward: note: while fra is away, a monitor of this location is unknown, and never red. That is 1 monitor: one. ${advice}` +
        `pulseward: note: while one of fra and iad is away, a monitor of these locations cannot turn red, because it has to fail at all of them. That is 2 monitors: two, also. ${advice}` +
        `pulseward: note: while one of fra, iad and sin is away, a monitor of these locations cannot recover, because it has to succeed at all of them. That is 1 monitor: any. ${advice}`,
    ])
  })
})

describe('validate of monitors that tell nobody', () => {
  const monitor = (name: string, more = '') =>
    `  - { name: ${name}, labels: { team: ${name} }, check: { type: tcp, config: { host: a, port: 1 } }${more} }\n`
  const head = 'endpoints: { log: { type: log, config: {} } }\n'
  const own = ', notify: { red: { endpoints: [log] } }'

  it('notes them by name on stderr, and the fleet is right', async () => {
    const monitors = [monitor('a'), monitor('b', own), monitor('c', ', enabled: false'), monitor('d')]
    const { code, stdout, stderr } = await validate(`${head}monitors:\n${monitors.join('')}`, [])
    expect([code, stdout]).toEqual([0, expect.stringContaining('4 monitors in 1 file: everything is right')])
    expect(stderr).toBe(
      'pulseward: note: 2 monitors tell nobody when they fail: a, d. Name a destination for red in notify, in defaults.notify or in a route.\n',
    )
  })

  it('names the first of many', async () => {
    const monitors = Array.from({ length: 9 }, (_, number) => monitor(`m${number}`))
    const { stderr } = await validate(`monitors:\n${monitors.join('')}`, [])
    expect(stderr).toContain('note: 9 monitors tell nobody when they fail: m0, m1, m2, m3, m4, 4 more. Name')
  })

  it.each([
    ['a default', 'defaults: { notify: { red: { endpoints: [log] } } }\n'],
    ['a route', 'routes: [{ match: { team: a }, colors: [red], endpoints: [log] }]\n'],
  ])('says nothing where %s tells somebody', async (_, rule) => {
    expect(await validate(`${head}${rule}monitors:\n${monitor('a')}`, [])).toMatchObject({
      code: 0,
      stderr: '',
    })
  })
})
