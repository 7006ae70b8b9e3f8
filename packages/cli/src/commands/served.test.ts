// The commands that write against the real service: what becomes of it, and what it refuses.
import { fileURLToPath } from 'node:url'
import type { v2 } from '@pulseward/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runInProcess, type TestedTerminal, withoutNotes } from '../client/command.fixture.ts'
import { ServedNext, samples } from '../client/served.fixture.ts'

const { credential, endpoint, group, monitor } = samples
const fleet = `
endpoints: { of-file: { type: log } }
monitors: [ { id: from-file, name: From a file, check: { type: tcp, config: { host: 127.0.0.1, port: 1 } } } ]
`
let served: ServedNext
beforeAll(async () => {
  served = await ServedNext.start({ fleet })
})
afterAll(() => served[Symbol.asyncDispose]())

const run = (line: string, on?: TestedTerminal) => served.run(line.split(' '), on)
const documents = (...resources: readonly object[]) => ({
  stdin: resources.map((one) => JSON.stringify(one)).join('\n---\n'),
})
const items = (stdout: string) =>
  (JSON.parse(stdout) as { items: v2.ApplyResult[] }).items.map(({ id, outcome }) => `${id} ${outcome}`)
const described = async (what: string) => JSON.parse((await run(`describe ${what} -o json`)).stdout)

describe('apply', () => {
  it('creates what is not there in the order of its references, then finds nothing to do', async () => {
    const all = documents(
      monitor('shop', { dependsOn: ['edge'], notifications: { red: { groupRefs: ['ops'] } } }),
      monitor('edge'),
      group('ops', 'chat'),
      endpoint('chat', 'hook'),
      credential('hook'),
    )
    const first = await run('apply -f - --wait -o json', all)
    expect([first.code, first.stderr]).toEqual([
      0,
      'pulseward: note: 1 monitor tells nobody when it fails: edge. Name an endpoint or a group for red in spec.notifications.\n',
    ])
    expect(items(first.stdout)).toEqual([
      'Credential/hook created',
      'NotificationEndpoint/chat created',
      'NotificationGroup/ops created',
      'Monitor/edge created',
      'Monitor/shop created',
    ])
    const again = await run('apply -f - --wait -o json', all)
    expect(again.code).toBe(0)
    expect(items(again.stdout).every((item) => item.endsWith(' unchanged'))).toBe(true)
    expect(first.stdout + again.stdout).not.toContain('the-value-of-hook')
  })

  it('creates the monitor of the example', async () => {
    const file = fileURLToPath(new URL('../../../../examples/monitor.yaml', import.meta.url))
    const { code, stdout } = await run(`apply -f ${file} --wait`)
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^Monitor\/pulseward-ready +created/m)])
    expect((await run('get monitors')).stdout).toContain('Pulseward is ready')
  })

  it('finds nothing to do with what get showed', async () => {
    await served.apply(monitor('shown', { tags: ['as', 'written'] }))
    for (const words of ['monitor shown', 'monitors shown', 'monitor/shown']) {
      const { code, stdout } = await run(`get ${words} -o yaml`)
      expect(code).toBe(0)
      const end = await run('apply -f - --wait -o json', { stdin: stdout })
      expect(items(end.stdout)).toEqual(['Monitor/shown unchanged'])
    }
  })

  it('updates what differs and says so in a table', async () => {
    await served.apply(monitor('u1'), monitor('u2'))
    const end = await run('apply -f - --wait', documents(monitor('u1', { tags: ['new'] }), monitor('u2')))
    expect([end.code, withoutNotes(end.stderr)]).toEqual([0, ''])
    expect(end.stdout).toMatch(
      /^ITEM +OUTCOME +FROM +TO .*\nMonitor\/u1 +updated .*\nMonitor\/u2 +unchanged .*\n\nOperation \S+ is completed; 1 updated, 1 unchanged\.\n$/,
    )
    expect((await described('monitor u1')).spec.tags).toEqual(['new'])
  })

  it('changes nothing when the service refuses some of it, names all of that, and ends with 1', async () => {
    const wrong = monitor('w1', { dependsOn: ['nobody'] })
    const ofFile = monitor('from-file')
    const { code, stdout, stderr } = await run(
      'apply -f - --wait -o json',
      documents(wrong, ofFile, monitor('w2')),
    )
    expect([code, stderr]).toEqual([1, ''])
    const outcomes = (JSON.parse(stdout) as { items: v2.ApplyResult[] }).items
    expect(outcomes.map(({ id, outcome, message }) => [id, outcome, message])).toEqual([
      ['Monitor/w1', 'failed', '-:1: /spec/dependsOn/0: there is no monitor "nobody".'],
      ['Monitor/from-file', 'failed', '-:3: /metadata/id: is a Monitor of a fleet file; change it there.'],
    ])
    expect((await run('describe monitor w2')).code).toBe(1)
  })

  it('writes in the version that a file names, and not in a later one', async () => {
    await served.apply(monitor('v'))
    const read = await run('describe monitor v -o yaml')
    await run('disable v')
    const { code, stdout } = await run('apply -f - --wait -o json', { stdin: read.stdout })
    expect([code, items(stdout)]).toEqual([1, ['Monitor/v conflict']])
    expect((await described('monitor v')).spec.enabled).toBe(false)
  })

  it('takes what get printed', async () => {
    await served.apply(credential('g'), endpoint('g', 'g'), group('g', 'g'))
    const listed = await run('get groups -o yaml')
    const { code, stdout } = await run('apply -f - --wait -o json', { stdin: listed.stdout })
    expect([code, items(stdout).includes('NotificationGroup/g unchanged')]).toEqual([0, true])
  })

  it('with --dry-run says what would happen, and changes nothing', async () => {
    await served.apply(monitor('d1'), monitor('d2'), credential('d4'))
    const planned = documents(
      monitor('d1'),
      monitor('d2', { tags: ['x'] }),
      monitor('d3'),
      credential('d4', 'another-value'),
    )
    const { code, stdout } = await run('apply -f - --dry-run -o json', planned)
    expect([code, items(stdout)]).toEqual([
      0,
      ['Monitor/d1 unchanged', 'Monitor/d2 updated', 'Monitor/d3 created', 'Credential/d4 updated'],
    ])
    expect((await run('apply -f - --dry-run', planned)).stdout).toMatch(
      /1 unchanged, 2 updated, 1 created; nothing was changed\.\n$/,
    )
    expect((await run('describe monitor d3')).code).toBe(1)
    const ofFile = await run('apply -f - --dry-run', documents(monitor('from-file')))
    expect([ofFile.code, ofFile.stderr]).toEqual([
      1,
      expect.stringContaining('-:1: Monitor/from-file comes from a fleet file'),
    ])
  })

  it('with a token of a reader changes nothing and says so once', async () => {
    const data = served.folder.path('data')
    const { stdout: token } = await runInProcess([
      'token',
      'create',
      'ann',
      '--role',
      'reader',
      '--data',
      data,
    ])
    await expect.poll(async () => (await run('get groups --token-file -', { stdin: token })).code).toBe(0)
    served.folder.write('a.yaml', JSON.stringify(monitor('by-reader')))
    const file = served.folder.path('a.yaml')
    const end = await run(`apply -f ${file} --token-file -`, { stdin: token })
    expect(end).toEqual({
      code: 3,
      stdout: '',
      stderr: expect.stringMatching(/^pulseward: http:\S+ does not allow this: .*\.\n$/),
    })
    expect((await run('describe monitor by-reader')).code).toBe(1)
    expect((await run('apply -f - --token-file -', { stdin: token })).stderr).toBe(
      'pulseward: Stdin can be read only once, and the token comes from it; put one of them into a file.\n',
    )
  })
})

describe('diff', () => {
  it('shows what apply would change', async () => {
    await served.apply(monitor('f1'), monitor('f2'))
    const { code, stdout } = await run(
      'diff -f -',
      documents(monitor('f1', { enabled: false }), monitor('f2'), group('f3', 'of-file')),
    )
    expect([code, stdout]).toEqual([
      1,
      'Monitor/f1: updated\n  + spec.enabled: false\nNotificationGroup/f3: created\n  + spec.endpointRefs: of-file\n',
    ])
    expect(await run('diff -f -', documents(monitor('f2')))).toEqual({ code: 0, stdout: '', stderr: '' })
  })
})

describe('patch, enable, disable and delete', () => {
  it.each(['k', 'monitor k', 'monitor/k'])('disable %s and enable it again', async (words) => {
    await served.apply(monitor('k'))
    expect((await run(`disable ${words}`)).stdout).toBe('Monitor k is disabled.\n')
    expect((await described('monitor k')).spec.enabled).toBe(false)
    expect((await run(`enable ${words}`)).stdout).toBe('Monitor k is enabled.\n')
  })

  it('change a monitor only in the version that a person looked at', async () => {
    await served.apply(monitor('p'))
    const { metadata } = await described('monitor p')
    expect((await run(`disable p --revision ${metadata.resourceVersion}`)).code).toBe(0)
    const late = await run(`delete monitor p --revision ${metadata.resourceVersion}`)
    expect(late).toMatchObject({ code: 3, stderr: expect.stringContaining('was changed since it was read') })
    expect((await described('monitor p')).spec.enabled).toBe(false)
    expect((await run('delete monitor p')).stdout).toBe('Monitor p is deleted.\n')
    expect(await run('describe monitor p')).toMatchObject({ code: 1 })
    expect((await run('delete monitor p')).code).toBe(1)
    expect(await run('delete monitor p --ignore-not-found')).toEqual({ code: 0, stdout: '', stderr: '' })
  })

  it.each(['monitor d1 gone d2', 'monitor/d1 monitor/gone monitors/d2'])(
    'delete %s, of which one is not there',
    async (words) => {
      await served.apply(monitor('d1'), monitor('d2'))
      expect(await run(`delete ${words}`)).toEqual({
        code: 1,
        stdout: 'Monitor d1 is deleted.\nMonitor d2 is deleted.\n',
        stderr: 'pulseward: Monitor gone is not there.\n',
      })
      expect((await run(`delete ${words} --ignore-not-found`)).code).toBe(0)
    },
  )

  it('name every mistake of a patch by its place', async () => {
    await served.apply(monitor('q'))
    const { code, stderr } = await run(
      'patch monitor q -p {"spec":{"check":{"interval":"1ms"},"dependsOn":["q"]}}',
    )
    expect(code).toBe(3)
    expect(stderr).toContain('spec.check.interval: ')
    expect(stderr).toContain('spec.dependsOn: ')
  })

  it.each([
    ['disable from-file', /comes from the fleet file .*fleet\.yaml; change it there/],
    ['delete endpoint of-file', /comes from a fleet file/],
    ['patch monitor nobody -p {}', /There is no monitor "nobody"/],
  ])('%s is refused in the words of the service', async (line, words) => {
    const { code, stdout, stderr } = await run(line)
    expect([code, stdout]).toEqual([line.includes('nobody') ? 1 : 3, ''])
    expect(stderr).toMatch(words)
  })

  it('delete -f deletes what files name, what refers to others first', async () => {
    const all = [monitor('x2', { dependsOn: ['x1'] }), monitor('x1'), credential('xc'), endpoint('xe', 'xc')]
    await served.apply(...all)
    const { code, stdout, stderr } = await run('delete -f -', documents(credential('xc'), ...all.slice(0, 2)))
    expect(code).toBe(3)
    expect(stdout).toBe('Monitor x2 is deleted.\nMonitor x1 is deleted.\n')
    expect(stderr).toMatch(
      /^pulseward: http:\S+ refused this: something still refers to the Credential xc: notification-endpoint\/xe/,
    )
    const rest = await run('delete -f -', documents(...all))
    expect([rest.code, rest.stdout]).toEqual([1, 'Endpoint xe is deleted.\nCredential xc is deleted.\n'])
    expect(rest.stderr).toBe('pulseward: Monitor x2 is not there.\npulseward: Monitor x1 is not there.\n')
    expect(await run('delete -f - --ignore-not-found', documents(...all))).toMatchObject({
      code: 0,
      stderr: '',
    })
  })
})
