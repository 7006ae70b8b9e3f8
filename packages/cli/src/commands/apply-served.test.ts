// apply, diff and controls of many against the served edition, with real files and, where a person stops it, a real process.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { createClient } from '@pulseward/client'
import { type TemporaryFolder, temporaryFolder } from '@pulseward/testing'
import { RunningCommand, runCommand } from '@pulseward/testing/process'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { withoutNotes } from '../client/command.fixture.ts'
import { ServedNext, samples } from '../client/served.fixture.ts'

let served: ServedNext
let folder: TemporaryFolder
beforeAll(async () => {
  served = await ServedNext.start({ environment: { HOOK: 'of-the-service' } })
  folder = temporaryFolder({ 'tmp/.keep': '' })
})
afterEach(() => vi.unstubAllEnvs())
afterAll(async () => {
  await served[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

const lines = (resources: readonly object[]) => `${resources.map((one) => JSON.stringify(one)).join('\n')}\n`
const monitors = (prefix: string, count: number, metadata: object = {}) =>
  Array.from({ length: count }, (_, index) => samples.monitor(`${prefix}-${index}`, {}, metadata))
const run: ServedNext['run'] = (words, on) => served.run(words, on)

async function isThere(id: string): Promise<boolean> {
  return (await run(['describe', 'monitor', id])).code === 0
}

describe('apply to the served edition', () => {
  it('creates hundreds as one operation, and changes nothing the second time', async () => {
    const file = folder.write('many.ndjson', lines(monitors('many', 600)))
    const first = await run(['apply', '-f', file, '--wait'])
    expect([first.code, first.stderr]).toEqual([
      0,
      'pulseward: note: 600 monitors tell nobody when they fail: many-0, many-1, many-2, many-3, many-4, 595 more. Name an endpoint or a group for red in spec.notifications.\n',
    ])
    expect(first.stdout).toMatch(/is completed; 600 of 600 items applied\.\n$/)
    const { stdout } = await run(['apply', '-f', file, '--wait', '-o', 'json'])
    const { state, items } = JSON.parse(stdout) as { state: string; items: { outcome: string }[] }
    expect([state, new Set(items.map(({ outcome }) => outcome))]).toEqual([
      'completed',
      new Set(['unchanged']),
    ])
    expect(await run(['diff', '-f', folder.write('few.ndjson', lines(monitors('many', 3)))])).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    })
  })

  it('stops asking who tells nobody once it can name some of more than a thousand', {
    tags: 'long',
  }, async () => {
    const file = folder.write('thousands.ndjson', lines(monitors('m', 1_600)))
    const { code, stderr } = await run(['apply', '-f', file, '--wait'])
    expect([code, stderr]).toEqual([0, expect.stringMatching(/: note: at least \d+ monitors tell nobody /)])
  })

  it('names every item that the service finds wrong by file, line and path, and changes nothing', async () => {
    const wrong = (id: string) => samples.monitor(id, { dependsOn: ['nobody'] })
    const file = folder.write(
      'wrong.ndjson',
      lines([...monitors('right', 300), wrong('wrong-1'), ...monitors('more', 299), wrong('wrong-2')]),
    )
    const { code, stdout, stderr } = await run(['apply', '-f', file, '--wait'])
    expect([code, stdout]).toEqual([1, ''])
    const [first, second, last] = stderr.trimEnd().split('\n')
    expect(first).toMatch(/wrong\.ndjson:301: spec\.dependsOn\[0\]: /)
    expect(second).toMatch(/wrong\.ndjson:601: spec\.dependsOn\[0\]: /)
    expect(last).toBe('pulseward: 2 of 601 items are wrong; nothing was changed.')
    expect(await isThere('right-0')).toBe(false)
  })

  it('shows the first 1,000 items that are wrong, with the count', { tags: 'long' }, async () => {
    const all = Array.from({ length: 1_200 }, (_, index) =>
      samples.monitor(`w-${index}`, { dependsOn: ['x'] }),
    )
    const { code, stderr } = await run(['apply', '-f', folder.write('all-wrong.ndjson', lines(all))])
    const said = stderr.trimEnd().split('\n')
    expect([code, said.length]).toEqual([1, 1_001])
    expect(said.at(-1)).toBe(
      'pulseward: 1200 of 1200 items are wrong; nothing was changed. The first 1000 are named.',
    )
  })

  it('of a line that is not JSON names the line, and sends nothing', async () => {
    const text = lines(monitors('cut', 3)).replace('"cut-1"', '"cut-1')
    expect(await run(['apply', '-f', folder.write('cut.ndjson', text)])).toEqual({
      code: 1,
      stdout: '',
      stderr: `${folder.path('cut.ndjson')}:2: is not valid JSON.\npulseward: the files have a mistake; nothing was sent.\n`,
    })
    expect(await isThere('cut-0')).toBe(false)
  })

  it('of ids that stand twice names both places, over all files', async () => {
    const first = folder.write('first.ndjson', lines(monitors('twin', 500)))
    const second = folder.write('second.ndjson', lines([samples.monitor('other'), samples.monitor('twin-7')]))
    const { code, stderr } = await run(['apply', '-f', first, '-f', second])
    expect([code, stderr]).toEqual([
      1,
      `${second}:2: metadata.id: occurs twice; first in ${first}:8.\npulseward: the files have a mistake; nothing was sent.\n`,
    ])
  })

  it('takes lines from stdin, and leaves nothing of them behind', async () => {
    vi.stubEnv('TMPDIR', folder.path('tmp'))
    const { code } = await run(['apply', '-f', '-', '--wait'], { stdin: lines(monitors('piped', 2)) })
    expect([code, readdirSync(folder.path('tmp'))]).toEqual([0, ['.keep']])
    expect(await isThere('piped-1')).toBe(true)
    await run(['apply', '-f', '-'], { stdin: 'kind: [' })
    expect(readdirSync(folder.path('tmp'))).toEqual(['.keep'])
  })

  it('does not let the name of a file, or of a monitor, move the cursor', async () => {
    const file = folder.write(
      'es\u001b[2Jcape.ndjson',
      lines([samples.monitor('x', {}, { nmae: '\u001b[2J' })]),
    )
    const { code, stdout, stderr } = await run(['apply', '-f', file], { columns: 80 })
    expect([code, (stdout + stderr).includes('\u001b[2J')]).toEqual([1, false])
    await served.apply(samples.monitor('red-name', {}, { name: 'a\u009b31mb' }))
    expect((await run(['describe', 'monitor', 'red-name'])).stdout).not.toContain('\u009b')
  })

  it('takes fleet files, with credentials and with routes, named by their place', async () => {
    const fleet = folder.write(
      'fleet.yaml',
      `version: 1
credentials: { shop-hook: { env: SHOP_HOOK } }
endpoints: { shop: { type: slack, config: { hook: { credential: shop-hook } } } }
groups: { shoppers: [shop] }
routes: [ { match: { team: shop }, colors: [red], groups: [shoppers] } ]
defaults: { check: { interval: 1h } }
monitors:
  - { id: of-fleet, name: Of a fleet, labels: { team: shop }, check: { type: tcp, config: { host: 127.0.0.1, port: 1 } } }
`,
    )
    const environment = { SHOP_HOOK: 'https://hooks.example/of-the-client' }
    const { code, stdout, stderr } = await run(['apply', '-f', fleet, '--wait'], { environment })
    expect([code, withoutNotes(stderr)]).toEqual([
      0,
      'pulseward: Routes of fleet files are named by their place: route-1, route-2 and so on. They replace routes that have these ids.\n',
    ])
    expect(stdout).toMatch(/is completed; 5 created\.\n$/)
    expect(stdout).not.toContain('of-the-client')
    const again = await run(['apply', '-f', fleet, '--wait'], { environment })
    expect(again.stdout).toMatch(/is completed; 5 unchanged\.\n$/)
    expect((await run(['get', 'routes'])).stdout).toMatch(/^route-1 +team=shop +red +shoppers /m)
    const broken = folder.write('broken.yaml', 'monitors:\n  - { name: X, check: { type: tpc } }\n')
    expect((await run(['apply', '-f', broken])).stderr).toContain(`${broken}:2: monitors[0].check.type: `)
  })
})

describe('an upload that ends early', () => {
  const staging = async () => {
    const { stdout } = await run(['get', 'operations', '--state', 'staging', '-o', 'json'])
    return (JSON.parse(stdout) as { items: { id: string }[] }).items.map(({ id }) => id)
  }

  it('by Ctrl-C is cancelled, and changes nothing', async () => {
    const data = served.folder.path('data')
    const file = folder.write('long.ndjson', lines(monitors('long', 12_000)))
    await using stopped = new RunningCommand(['apply', '-f', file, '--server', served.url, '--data', data])
    await expect.poll(() => stagedBytes(data), { interval: 10 }).toBeGreaterThan(500_000)
    stopped.signal('SIGINT')
    const { code, stdout, stderr } = await stopped.ended
    expect([code, stdout]).toEqual([1, ''])
    const [, id = ''] =
      /^pulseward: Stopped; operation (\S+) is cancelled, and nothing was changed\.\n$/.exec(stderr) ?? []
    expect((await run(['get', 'operation', id])).stdout).toMatch(/^State +cancelled$/m)
    expect(await staging()).toEqual([])
    expect(stagedBytes(data)).toBe(0)
    expect(await isThere('long-0')).toBe(false)
  })

  it('by a kill stays staged, goes on with --resume, and refuses other content', {
    tags: 'long',
  }, async () => {
    const data = served.folder.path('data')
    const file = folder.write('long.ndjson', lines(monitors('long', 12_000)))
    const words = ['apply', '-f', file, '--server', served.url, '--data', data]
    await using killed = new RunningCommand(words)
    await expect.poll(() => stagedBytes(data), { interval: 10 }).toBeGreaterThan(500_000)
    await killed[Symbol.asyncDispose]()
    const [id = ''] = await staging()
    const command = [...words, '--resume', id]

    const other = folder.write(
      'other.ndjson',
      lines([samples.monitor('long-0', { tags: ['other'] }), ...monitors('long', 12_000).slice(1)]),
    )
    const refused = await run(['apply', '-f', other, '--resume', id])
    expect(refused).toMatchObject({ code: 2, stdout: '' })
    expect(refused.stderr).toContain(`The files are not those of operation ${id}: an item cannot be changed`)

    const uploaded = Number(/Uploaded +(\d+)/.exec((await run(['get', 'operation', id])).stdout)?.[1])
    expect(uploaded).toBeGreaterThan(0)
    expect(uploaded).toBeLessThan(12_000)
    const end = await runCommand([...command, '--wait'])
    expect([end.code, end.stdout]).toEqual([0, expect.stringContaining('12000 of 12000 items applied')])
    // Once more: it only says what is known.
    expect((await runCommand([...command, '--wait'])).stdout).toContain('is completed')
  })

  it('that has not sent anything says so', async () => {
    const person = new AbortController()
    person.abort()
    const file = folder.write('short.ndjson', lines(monitors('short', 3)))
    expect(await run(['apply', '-f', file], { interruption: person.signal })).toEqual({
      code: 3,
      stdout: '',
      stderr: 'pulseward: Stopped before there was an answer.\n',
    })
  })
})

describe('where sixteen abandoned operations have taken all places', () => {
  let full: ServedNext
  beforeAll(async () => {
    full = await ServedNext.start()
    const token = readFileSync(full.folder.path('data/operator.token'), 'utf8').trim()
    const client = createClient({ baseUrl: full.url, token, allowInsecureHttp: true, timeoutMs: 300_000 })
    const body = { contentDigest: 'opaque', itemCount: 1 }
    for (let n = 0; n < 16; n++) await client.createOperation({ body })
  })
  afterAll(() => full[Symbol.asyncDispose]())

  const { credential, endpoint, group, monitor } = samples
  const apply = (resources: readonly object[], ...flags: string[]) =>
    full.run(['apply', '-f', '-', '--wait', ...flags], { stdin: lines(resources) })
  const outcomes = (stdout: string) =>
    (JSON.parse(stdout) as { items: { id: string; outcome: string }[] }).items.map(
      ({ id, outcome }) => `${id} ${outcome}`,
    )

  it('a small file is applied in the order of its references, and only what differs is written', async () => {
    const all = [
      monitor('shop', { dependsOn: ['edge'], notifications: { red: { groupRefs: ['ops'] } } }),
      monitor('edge'),
      group('ops', 'chat'),
      endpoint('chat', 'hook'),
      credential('hook'),
    ]
    const first = await apply(all)
    expect([first.code, withoutNotes(first.stderr)]).toEqual([0, ''])
    expect(first.stdout).toMatch(
      /^ITEM +OUTCOME .*\nCredential\/hook +created [\s\S]*\nMonitor\/shop +created .*\n\n5 created; written one by one\.\n$/,
    )
    const again = await apply([...all.slice(0, 4), credential('hook', 'another-value')], '-o', 'json')
    expect([again.code, outcomes(again.stdout)]).toEqual([
      0,
      [
        'Credential/hook updated',
        'NotificationEndpoint/chat unchanged',
        'NotificationGroup/ops unchanged',
        'Monitor/edge unchanged',
        'Monitor/shop unchanged',
      ],
    ])
  })

  it('nothing is written when one of them is wrong, or in another version than a file names', async () => {
    const wrong = await apply([monitor('right'), monitor('wrong', { dependsOn: ['nobody'] })])
    expect(wrong).toEqual({
      code: 1,
      stdout: '',
      stderr:
        '-:2: spec.dependsOn[0]: there is no monitor "nobody".\npulseward: The collection is not valid: 1 item is wrong; nothing was changed.\n',
    })
    expect((await full.run(['describe', 'monitor', 'right'])).code).toBe(1)
    await apply([monitor('versioned')])
    const read = await full.run(['describe', 'monitor', 'versioned', '-o', 'json'])
    await full.run(['disable', 'versioned'])
    const stale = await apply([JSON.parse(read.stdout) as object], '-o', 'json')
    expect([stale.code, outcomes(stale.stdout)]).toEqual([1, ['Monitor/versioned conflict']])
    const { metadata } = JSON.parse(read.stdout) as { metadata: { resourceVersion: string } }
    const gone = monitor('never-there', {}, { resourceVersion: metadata.resourceVersion })
    const missing = await apply([gone], '-o', 'json')
    expect([missing.code, outcomes(missing.stdout)]).toEqual([1, ['Monitor/never-there conflict']])
  })

  it('a large one is refused, with the time after which there is a place; cancelling one makes room', async () => {
    const many = monitors('much', 101)
    const { code, stdout, stderr } = await apply(many)
    expect([code, stdout]).toEqual([3, ''])
    expect(stderr).toMatch(/has 16 open operations, .*; try again in \d+ s\.\n$/)
    const listed = await full.run(['get', 'operations', '--state', 'staging', '-o', 'json'])
    const { items } = JSON.parse(listed.stdout) as { items: { id: string; actor: string }[] }
    expect(items).toHaveLength(16)
    expect(new Set(items.map(({ actor }) => actor))).toEqual(new Set(['first']))
    expect((await full.run(['delete', 'operation', items[0]!.id])).code).toBe(0)
    expect((await apply(many)).stdout).toMatch(/is completed; /)
  })
})

function stagedBytes(data: string): number {
  const names = readdirSync(data, { recursive: true, encoding: 'utf8' })
  const staged = names
    .filter((name) => /stag/.test(name))
    .map((name) => statSync(`${data}/${name}`, { throwIfNoEntry: false }))
  return staged.reduce((bytes, stat) => bytes + (stat?.isFile() ? stat.size : 0), 0)
}

describe('a control of many', () => {
  const snooze = ['snooze', '-l', 'team=payments', '--for', '2h', '--reason', 'work']
  beforeAll(() => served.apply(...monitors('pay', 3, { labels: { team: 'payments' } })))

  const isSnoozed = async () =>
    (await run(['describe', 'monitor', 'pay-0', '-o', 'json'])).stdout.includes('snoozedUntil')

  it('is asked for on a terminal with the count, and only a yes is one', async () => {
    for (const typed of ['n\n', '\n', '', 'yess\n'])
      expect(await run(snooze, { typed })).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(
          /^Snooze 3 monitors for 2h\? \[y\/N\] \n?pulseward: Not confirmed; nothing was changed\.\n$/,
        ),
      })
    expect(await isSnoozed()).toBe(false)
    expect(await run(snooze, { typed: 'y\n' })).toEqual({
      code: 0,
      stdout: '3 monitors are snoozed for 2h.\n',
      stderr: 'Snooze 3 monitors for 2h? [y/N] ',
    })
    expect(await isSnoozed()).toBe(true)
  })

  it('needs --yes where nobody can be asked', async () => {
    const words = ['unsnooze', '-l', 'team=payments']
    expect(await run(words)).toEqual({
      code: 2,
      stdout: '',
      stderr: 'pulseward: There is no terminal to confirm on; pass --yes to change all of them.\n',
    })
    expect(await run([...words, '--yes'])).toEqual({
      code: 0,
      stdout: '3 monitors are no longer snoozed.\n',
      stderr: '',
    })
  })

  it.each([
    ['disable', '3 monitors are disabled.\n'],
    ['enable', '3 monitors are enabled.\n'],
  ])('%s changes all of them', async (command, stdout) => {
    expect(await run([command, '-l', 'team=payments', '-y'])).toEqual({ code: 0, stdout, stderr: '' })
  })

  it.each([
    [
      ['snooze', '-l', 'team=nobody', '--for', '2h', '--reason', 'x', '--yes'],
      'There is no monitor with these labels; nothing was changed.',
    ],
    [
      ['ack', '-l', 'team=payments', '--yes'],
      'There is no open incident with these labels; nothing was changed.',
    ],
  ])('%j that means nothing ends with 1', async (words, sentence) => {
    expect(await run(words)).toEqual({ code: 1, stdout: '', stderr: `pulseward: ${sentence}\n` })
  })

  it('tells which of them refused, and ends with 1', async () => {
    const { code, stdout } = await run(['recover', '-l', 'team=payments', '--reason', 'x', '--yes'])
    expect(code).toBe(1)
    expect(stdout).toMatch(/^pay-0 +(failed|conflict) /m)
    expect(stdout).toMatch(/is failed: .*; 3 (failed|conflict)\.\n$/)
  })

  it.each([
    [
      ['snooze', 'pay-0', '-l', 'team=payments', '--for', '1h', '--reason', 'x'],
      'Name one, or many with -l SELECTOR, not both.',
    ],
    [['ack', '-l', ' ', '--yes'], '-l needs labels, such as team=payments.'],
    [['ack', '-l', '=x', '--yes'], expect.stringMatching(/^--selector /)],
    [['ack', 'inc-1', '--yes'], '--yes goes with -l SELECTOR; leave it out.'],
    [
      ['disable', '-l', 'a=b', '--revision', '1', '--yes'],
      '--revision applies to one; leave it out with -l.',
    ],
    [['snooze', '-l', 'a=b', '--yes', '--for', '1h'], '--reason is needed: why.'],
    [['review', '-l', 'a=b'], expect.stringMatching(/^There is no flag -l\./)],
  ])('%j is wrong usage', async (words, sentence) => {
    const { code, stderr } = await run(words)
    expect([code, stderr.replace(/^pulseward: /, '').trimEnd()]).toEqual([2, sentence])
  })
})

describe('a control of one', () => {
  it('that is not possible now is refused in the words of the service', async () => {
    await served.apply(samples.monitor('calm'))
    const { code, stderr } = await run(['recover', 'calm', '--reason', 'x'])
    expect([code, stderr]).toEqual([3, expect.stringMatching(/refused this: .*recover/)])
    expect((await run(['unsnooze', 'calm'])).code).toBe(3)
  })

  it('of something that is not there ends with 1', async () => {
    for (const words of [
      ['review', 'act-0', '--resolution', 'accepted', '--reason', 'x'],
      ['ack', 'inc-0'],
      ['snooze', 'nobody', '--for', '1h', '--reason', 'x'],
      ['wait', 'operation', 'bulk-0'],
    ])
      expect([words[0], (await run(words)).code]).toEqual([words[0], 1])
  })

  it('in an old revision is refused', async () => {
    const words = ['snooze', 'calm', '--for', '1h', '--reason', 'x', '--revision', '9999']
    expect((await run(words)).code).toBe(3)
  })
})
