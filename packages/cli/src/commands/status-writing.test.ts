// `pulseward status post|update|resolve|about` against a real service: what it writes is on the page, and what it refuses.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ServedNext } from '../client/served.fixture.ts'

let served: ServedNext
beforeAll(async () => {
  served = await ServedNext.start()
  const check = {
    driver: { type: 'tcp', config: { host: '127.0.0.1', port: 9 } },
    interval: '1h',
    timeout: '1s',
  }
  const components = [
    { id: 'checkout', name: 'Checkout', monitorRefs: ['api'] },
    { id: 'search', name: "People's search", match: { service: 'search', tag: 'eu' } },
  ]
  await served.apply(
    ...[
      { kind: 'Monitor', id: 'api', spec: { enabled: false, check } },
      {
        kind: 'Monitor',
        id: 'es-1',
        labels: { service: 'search' },
        spec: { enabled: false, check, tags: ['eu'] },
      },
      { kind: 'Monitor', id: 'other', labels: { service: 'search' }, spec: { enabled: false, check } },
      { kind: 'StatusPage', id: 'shop', spec: { title: 'Shop', groups: [{ name: 'All', components }] } },
    ].map(({ kind, id, labels = {}, spec }) => ({
      apiVersion: 'pulseward/v2',
      kind,
      metadata: { id, labels },
      spec,
    })),
  )
})
afterAll(() => served[Symbol.asyncDispose]())

const run = (...words: string[]) => served.run(['status', ...words])
const page = async (path: string) => (await fetch(`${served.url}/status/shop/${path}`)).text()

it('writes about an incident until it is resolved, and what was learned', async () => {
  const posted = await run(
    'post',
    'shop',
    'Übel: payments!',
    'We are looking.',
    '--component',
    'checkout=major_outage',
  )
  const id = posted.stdout.trim()
  expect([posted.code, id]).toEqual([0, expect.stringMatching(/^ubel-payments-[0-9a-f]{6}$/)])
  expect(await run('update', id, 'A disk.', '--phase', 'identified')).toMatchObject({ code: 0 })
  expect(await run('update', id, 'Two disks.', '--component', 'checkout=partial_outage')).toMatchObject({
    code: 0,
  })
  expect(await run('resolve', id, 'All is well.')).toMatchObject({ code: 0 })
  expect(await run('resolve', id, '--postmortem', 'Buy disks.')).toMatchObject({ code: 0 })
  await expect.poll(() => page(`incidents/${id}.html`), { timeout: 30_000 }).toContain('Buy disks.')
  const shown = await page(`incidents/${id}.html`)
  const places = ['All is well.', 'Two disks.', 'A disk.', 'We are looking.'].map((text) =>
    shown.indexOf(text),
  )
  expect(places).toEqual(places.toSorted((one, other) => one - other))
  expect(places[0]).toBeGreaterThan(0)
  expect(shown.match(/<strong>Identified/g)).toHaveLength(2)

  const again = await run('update', id, 'Or not.')
  expect([again.code, again.stderr]).toEqual([
    3,
    expect.stringContaining('comes after the incident was resolved'),
  ])
  const twice = await run('resolve', id, 'Really.')
  expect([twice.code, twice.stderr]).toEqual([2, expect.stringContaining('is resolved already')])
})

it('announces maintenance', async () => {
  const words = ['post', 'shop', 'New database', 'Search is away.', '--component', 'search']
  const times = ['--from', '2099-03-29T01:00:00Z', '--until', '2099-03-29T03:00:00+01:00']
  const { code, stdout } = await run(...words, ...times)
  expect(code).toBe(0)
  await expect.poll(() => page(''), { timeout: 30_000 }).toContain('New database')
  const resolved = await run('resolve', stdout.trim())
  expect([resolved.code, resolved.stderr]).toEqual([2, expect.stringContaining('ends by itself')])
})

it('offers to write about a monitor, with everything but the words', async () => {
  expect((await run('about', 'api')).stdout).toBe(
    "pulseward status post shop 'Trouble with Checkout' '…' --component checkout=major_outage\n",
  )
  expect((await run('about', 'es-1')).stdout).toBe(
    "pulseward status post shop 'Trouble with People'\\''s search' '…' --component search=partial_outage\n",
  )
  expect((await run('about', 'other')).stderr).toContain('No status page has the monitor other.')
})

it.each([
  [['post', 'shop', 'Title'], 'Give a page, a title and a text'],
  [
    ['post', 'shop', 'Two', 'words', 'more'],
    '"more" is not expected here; give a text of several words in quotes.',
  ],
  [['post', 'shop', 'T', 'x', '--phase', 'over'], '--phase: "over" is not allowed here'],
  [['post', 'shop', 'T', 'x', '--component', 'checkout'], 'write ID=STATE, where the state is operational, '],
  [['post', 'shop', 'T', 'x', '--component', 'checkot=operational'], 'Did you mean "checkout"?'],
  [['post', 'shop', 'T', 'x', '--from', 'now', '--until', 'then'], '--from: "now" is not a moment'],
  [['post', 'shop', 'T', 'x', '--from', '2026-03-29T01:00Z'], 'Maintenance has both a beginning and an end'],
  [['update', 'nothing', 'x'], 'nothing'],
  [['resolve'], 'Name an incident'],
  [['about'], 'Name a monitor'],
  [['write'], 'Say what to do: pulseward status post, update'],
])('refuses %j', async (words, sentence) => {
  const { code, stderr } = await run(...words)
  expect(code).not.toBe(0)
  expect(stderr).toContain(sentence)
})
