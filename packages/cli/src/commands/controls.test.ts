// The commands that ask for one thing: controls, enable, disable, patch, delete, describe, wait.
import { exchanges } from '@pulseward/contract/v2/examples'
import { type TemporaryFolder, temporaryFolder } from '@pulseward/testing'
import { misbehaviours, problemAnswer, ReferencePeer } from '@pulseward/testing/reference-peer'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { runInProcess, type TestedTerminal } from '../client/command.fixture.ts'

let peer: ReferencePeer
let folder: TemporaryFolder
beforeAll(async () => {
  peer = await ReferencePeer.start()
  folder = temporaryFolder({ 'patch.yaml': 'spec:\n  value: a-new-secret-value\n' })
})
beforeEach(() => peer.requests.splice(0))
afterEach(() => peer.misbehave(null))
afterAll(async () => {
  await peer[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

const run = (words: readonly string[], on?: TestedTerminal) =>
  runInProcess([...words, '--server', peer.url], on)
const sent = () => {
  const { method, path, headers, body } = peer.lastRequest
  return [
    `${method} ${path.replace('/api/v2', '')}`,
    headers['if-match'],
    body === '' ? null : JSON.parse(body),
  ]
}

/** Misbehaves on writes only. */
function onWrites(misbehaviour: NonNullable<Parameters<ReferencePeer['misbehave']>[0]>): void {
  peer.misbehave((response, answer) => {
    if (peer.lastRequest.method === 'GET') response.writeHead(answer.status, answer.headers).end(answer.body)
    else misbehaviour(response, answer)
  })
}

const writes: readonly [words: string[], said: string, call: string, ifMatch: string, body: unknown][] = [
  [
    ['ack', 'inc-1', '--note', 'looking'],
    'Incident inc-1 is acknowledged.',
    'POST /incidents/inc-1/acknowledge',
    '"3"',
    { revision: '3', note: 'looking' },
  ],
  [
    ['dismiss', 'inc-1', '--reason', 'known'],
    'Incident inc-1 is dismissed; no more notifications are sent for it.',
    'POST /incidents/inc-1/dismiss',
    '"3"',
    { revision: '3', reason: 'known' },
  ],
  [
    ['reopen', 'inc-1'],
    'Incident inc-1 is no longer dismissed.',
    'POST /incidents/inc-1/reopen',
    '"3"',
    { revision: '3' },
  ],
  [
    ['snooze', 'a', '--for', '2h', '--reason', 'work'],
    'Monitor a is snoozed for 2h.',
    'POST /monitors/a/snooze',
    '"7"',
    { revision: '7', duration: '2h', reason: 'work' },
  ],
  [
    ['unsnooze', 'a'],
    'Monitor a is no longer snoozed.',
    'POST /monitors/a/unsnooze',
    '"7"',
    { revision: '7' },
  ],
  [
    ['recover', 'a', '--reason', 'repaired', '--incident', 'inc-1'],
    'The recovery of monitor a is requested.',
    'POST /monitors/a/recover',
    '"7"',
    { revision: '7', reason: 'repaired', incidentID: 'inc-1' },
  ],
  [
    [
      'review',
      'act-1',
      '--resolution',
      'accepted',
      '--reason',
      'seen',
      '--evidence',
      'one',
      '--evidence',
      'two',
    ],
    'Action act-1 is reviewed as accepted.',
    'POST /actions/act-1/review',
    '"2"',
    { revision: '2', resolution: 'accepted', reason: 'seen', evidenceRefs: ['one', 'two'] },
  ],
  [['enable', 'a'], 'Monitor a is enabled.', 'PATCH /monitors/a', '"42"', { spec: { enabled: true } }],
  [['disable', 'a'], 'Monitor a is disabled.', 'PATCH /monitors/a', '"42"', { spec: { enabled: false } }],
  [
    ['patch', 'group', 'ops', '-p', '{spec: {endpointRefs: [a]}}'],
    'Group ops is changed.',
    'PATCH /notification-groups/ops',
    '"6"',
    { spec: { endpointRefs: ['a'] } },
  ],
  [
    ['delete', 'endpoint/ops-slack'],
    'Endpoint ops-slack is deleted.',
    'DELETE /notification-endpoints/ops-slack',
    '"5"',
    null,
  ],
]

describe('a write', () => {
  it.each(writes)(
    '%j is sent once, in the version that was just read',
    async (words, said, call, ifMatch, body) => {
      expect(await run(words)).toEqual({ code: 0, stdout: `${said}\n`, stderr: '' })
      expect(sent()).toEqual([call, ifMatch, body])
      expect(peer.requests.map(({ method }) => method)).toEqual(['GET', call.split(' ')[0]])
    },
  )

  it('with --revision is sent without a look, in the version that a person named', async () => {
    expect((await run(['ack', 'inc-1', '--revision', '2'])).code).toBe(0)
    expect(sent()).toEqual(['POST /incidents/inc-1/acknowledge', '"2"', { revision: '2' }])
    expect(peer.requests).toHaveLength(1)
  })

  it.each(writes)('%j whose answer is lost is reported as such, with what to do', async (words) => {
    onWrites(misbehaviours.dropsConnection)
    const { code, stdout, stderr } = await run(words)
    expect([code, stdout]).toEqual([3, ''])
    expect(stderr).toMatch(
      /^pulseward: The change was sent to http:\S+ once and its answer was lost, so it may have happened or not\. Look with `pulseward describe \S+( \S+)?` before you send it again\.\n$/,
    )
    expect(peer.requests.filter(({ method }) => method !== 'GET')).toHaveLength(1)
  })

  it('that failed inside the service names the operation that it left', async () => {
    onWrites((response) => {
      const { headers, body } = problemAnswer(500, 'internalError', { headers: { 'X-Operation-ID': 'op-7' } })
      response.writeHead(500, headers).end(body)
    })
    expect((await run(['enable', 'a'])).stderr).toBe(
      `pulseward: The change was sent to ${peer.url} once and was answered with 500, so it may have happened or not. Look with \`pulseward get operation op-7\` before you send it again.\n`,
    )
  })

  it('in an old version is refused with what the service says', async () => {
    onWrites((response) => {
      const { headers, body } = problemAnswer(412, 'versionConflict', {
        detail: 'Monitor a is at version 43.',
      })
      response.writeHead(412, headers).end(body)
    })
    expect(await run(['enable', 'a'])).toEqual({
      code: 3,
      stdout: '',
      stderr: `pulseward: ${peer.url} refused this: monitor a is at version 43 (request req-of-the-peer).\n`,
    })
  })

  it.each([
    ...writes.map(([words]) => words),
    ['describe', 'monitor', 'a'],
    ['wait', 'operation', 'op-1'],
    ['api-resources'],
    ['explain', '--online', 'slack'],
  ])('%s %s says in one sentence that a server without v2 does not offer it', async (...words) => {
    peer.answer(problemAnswer(404, 'api_version_not_served'))
    expect(await run(words)).toEqual({
      code: 3,
      stdout: '',
      stderr: `pulseward: ${peer.url} does not offer this: it serves no v2; start it with --edition next.\n`,
    })
  })

  it('prints the body of the API for programs', async () => {
    const { stdout } = await run(['snooze', 'a', '--for', '2h', '--reason', 'x', '-o', 'json'])
    expect(JSON.parse(stdout)).toEqual(exchanges.SnoozeMonitor.answer)
  })

  it('does not repeat the secret of a patch', async () => {
    onWrites((response) => {
      const { headers, body } = problemAnswer(422, 'invalidResource', {
        detail: 'a-new-secret-value is too short',
      })
      response.writeHead(422, headers).end(body)
    })
    const { code, stderr } = await run([
      'patch',
      'credential',
      'ops-hook',
      '--patch-file',
      folder.path('patch.yaml'),
    ])
    expect(code).toBe(3)
    expect(stderr).not.toContain('a-new-secret-value')
    expect(sent()[2]).toEqual({ spec: { value: 'a-new-secret-value' } })
  })

  it.each([
    [['ack'], 'Name one: pulseward ack INCIDENT|MONITOR'],
    [['dismiss', 'inc-1'], '--reason is needed: why.'],
    [['dismiss', 'inc-1', '--reason', ' '], '--reason must not be empty.'],
    [
      ['dismiss', 'inc-1', '--reason', 'ä'.repeat(2049)],
      '--reason has 4098 bytes; at most 4096 are allowed.',
    ],
    [['snooze', 'a', '--reason', 'x'], '--for is needed: for how long, at most 720h.'],
    [
      ['snooze', 'a', '--reason', 'x', '--for', '721h'],
      '--for: "721h" is not allowed here; use more than zero and at most 720h.',
    ],
    [
      ['snooze', 'a', '--reason', 'x', '--for', '0s'],
      '--for: "0s" is not allowed here; use more than zero and at most 720h.',
    ],
    [
      ['snooze', 'a', '--reason', 'x', '--for', '2 hours'],
      '--for: "2 hours" is not a duration; write one such as 250ms, 30s, 5m or 1h.',
    ],
    [
      ['review', 'act-1', '--reason', 'x', '--resolution', 'acepted'],
      '--resolution: "acepted" is not allowed here; use accepted, rejected or inconclusive. Did you mean accepted?',
    ],
    [['enable', 'a', 'b'], 'Name one: pulseward enable MONITOR'],
    [
      ['enable', 'a', '--revision', 'a b'],
      '--revision: a version is at most 128 visible ASCII characters without quotes.',
    ],
    [['enable', '..'], 'id cannot be "..".'],
    [['patch', 'monitor', 'a'], 'Pass either --patch or --patch-file.'],
    [
      ['patch', 'monitor', 'a', '-p', '[1]'],
      '--patch: a merge patch is an object, such as {"spec": {"enabled": false}}.',
    ],
    [
      ['patch', 'monitor', 'a', '-p', '{spek: 1}'],
      '--patch: "spek" cannot be patched; metadata and spec can. Did you mean spec?',
    ],
    [
      ['patch', 'monitor', 'a', '-p', '{spec: [}'],
      expect.stringMatching(/^--patch:1: A { or \[ is not closed/),
    ],
    [
      ['patch', 'monitor', 'a', '-p', '{spec:{enabled:false}}'],
      '--patch: "enabled:false" needs a space after the colon, or quotes as in JSON.',
    ],
    [['patch', 'job-type', 'a', '-p', '{}'], 'Kind job-type cannot be patched.'],
    [['delete', 'incident', 'inc-1'], 'Kind incident cannot be deleted.'],
    [['delete', 'monitr', 'a'], 'There is no kind "monitr". Did you mean monitor?'],
    [['describe', 'monitor'], 'Name one: pulseward describe KIND ID'],
    [
      ['wait', 'group', 'ops'],
      'Kind group cannot be waited for; an operation, a monitor, an incident or an action can.',
    ],
    [
      ['wait', 'operation', 'op-1', '--for', 'closed'],
      '--for does not apply to an operation; the command waits until it ends.',
    ],
  ])('%j is refused before any request', async (words, sentence) => {
    const { code, stderr } = await run(words)
    expect([code, stderr.replace(/^pulseward: /, '').trimEnd()]).toEqual([2, sentence])
    expect(peer.requests).toEqual([])
  })
})

describe('delete', () => {
  it('of an operation cancels what remains', async () => {
    expect(await run(['delete', 'operation', 'op-1'])).toMatchObject({
      code: 0,
      stdout: 'What remained of operation op-1 is cancelled; nothing is undone.\n',
    })
    expect(sent()[0]).toBe('POST /operations/op-1/cancel')
  })

  it('ends with 1 when the operation failed', async () => {
    onWrites((response, { status, headers, body }) => {
      response
        .writeHead(status, headers)
        .end(JSON.stringify({ ...JSON.parse(body), state: 'failed', reason: 'a conflict' }))
    })
    expect(await run(['delete', 'group', 'ops'])).toMatchObject({
      code: 1,
      stdout: 'Group ops is not deleted: a conflict.\n',
    })
  })
})

describe('wait', () => {
  it('looks until it is so', async () => {
    let looks = 0
    peer.misbehave((response, { status, headers, body }) => {
      const state = ++looks < 2 ? 'applying' : 'completed'
      response.writeHead(status, headers).end(JSON.stringify({ ...JSON.parse(body), state }))
    })
    const { code, stdout } = await run(['wait', 'operation', 'op-1'])
    expect([code, stdout, looks]).toEqual([0, expect.stringMatching(/State +completed/), 2])
  })

  it('shows how far an operation is on a terminal, and leaves nothing of it behind', async () => {
    let looks = 0
    peer.misbehave((response, { status, headers, body }) => {
      const state = ++looks < 3 ? 'applying' : 'completed'
      const progress = { state, itemCount: 4, applied: 2 }
      response.writeHead(status, headers).end(JSON.stringify({ ...JSON.parse(body), ...progress }))
    })
    const { code, stderr } = await run(['wait', 'operation', 'op-1'], { columns: 80 })
    expect(code).toBe(0)
    expect(stderr).toContain('applying ████████████░░░░░░░░░░░░ 2/4')
    expect(stderr.endsWith('\r\u001b[K')).toBe(true)
  })

  it('ends with 0 when it is so already, and with 1 when the operation did not end well', async () => {
    for (const word of ['down', 'unhealthy'])
      expect(await run(['wait', 'monitor', 'a', '--for', word])).toMatchObject({
        code: 0,
        stdout: 'Monitor a is down.\n',
      })
    expect(await run(['wait', 'incident/inc-1', '--for', 'open'])).toMatchObject({
      code: 0,
      stdout: 'Incident inc-1 is open.\n',
    })
    peer.misbehave((response, { status, headers, body }) => {
      response.writeHead(status, headers).end(JSON.stringify({ ...JSON.parse(body), state: 'partial' }))
    })
    expect((await run(['wait', 'operation', 'op-1'])).code).toBe(1)
  })

  it('ends with 1 when the time is over or a person stops it, and cancels nothing', async () => {
    expect(await run(['wait', 'monitor', 'a', '--timeout', '50ms'])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'pulseward: The time is over: monitor a is not up yet; only the wait ended.\n',
    })
    const person = new AbortController()
    const waiting = run(['wait', 'action', 'act-1'], { interruption: person.signal })
    peer.misbehave(misbehaviours.neverAnswers)
    await peer.nextRequest()
    person.abort()
    expect(await waiting).toMatchObject({
      code: 1,
      stderr: 'pulseward: Stopped waiting: action act-1 is not ended yet; only the wait ended.\n',
    })
    expect(peer.requests.every(({ method }) => method === 'GET')).toBe(true)
  })
})

describe('explain', () => {
  it('walks the contract without a service', async () => {
    const { code, stdout } = await runInProcess(['explain', 'monitor.spec.maintenance'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^Type +list of MaintenanceWindow$/m)
    expect(stdout).toMatch(/^timezone +text +no +A time zone such as Europe\/Berlin; UTC unless given\.$/m)
  })

  it.each([
    ['monitor.spec.chek', 'monitor.spec has no field "chek". Did you mean check?'],
    ['monitor.spec.tags.x', 'monitor.spec.tags has no fields, so there is no monitor.spec.tags.x.'],
    ['montor', 'There is no kind "montor". Did you mean monitor?'],
    ['endpoint.spec.config.slak', 'endpoint.spec.config has no field "slak". Did you mean slack?'],
    ['monitor.__proto__', expect.stringContaining('monitor has no field "__proto__".')],
  ])('of %s names what was meant', async (path, sentence) => {
    const { code, stderr } = await runInProcess(['explain', path])
    expect([code, stderr.replace(/^pulseward: /, '').trimEnd()]).toEqual([2, sentence])
  })

  it('goes on into the options of a driver', async () => {
    const { stdout } = await runInProcess(['explain', 'monitor.spec.check.driver.config.http.tls'])
    expect(stdout).toMatch(/^ca +text or credential +no +Certificates of authorities/m)
    const all = await runInProcess(['explain', 'monitor.spec.recovery.driver.config'])
    expect(all.stdout).toMatch(/^kubernetes +object +no /m)
    expect(all.stdout).not.toMatch(/^http /m)
  })

  it('--online asks the service', async () => {
    const { code, stdout } = await run(['explain', '--online', 'NotificationGroup'])
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining('NotificationGroup: Endpoints notified together.'),
    ])
  })
})
