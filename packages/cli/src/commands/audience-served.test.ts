// Who is told about a monitor, and that nobody is, as the commands say it against the real service.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ServedNext, samples } from '../client/served.fixture.ts'

const { monitor } = samples
const fleet = `
endpoints: { chat: { type: log, config: {} }, pager: { type: log, config: {} } }
groups: { ops: [chat, pager] }
routes: [ { match: { team: payments }, colors: [red], endpoints: [pager] } ]
monitors:
  - { id: from-file, name: From a file, check: { type: tcp, config: { host: 127.0.0.1, port: 1 } } }
`
let served: ServedNext
beforeAll(async () => {
  served = await ServedNext.start({ fleet })
})
afterAll(() => served[Symbol.asyncDispose]())

const run = (line: string, ...resources: readonly object[]) =>
  served.run(line.split(' '), { stdin: resources.map((one) => JSON.stringify(one)).join('\n---\n') })

const toOps = { notifications: { red: { groupRefs: ['ops'], endpointRefs: ['chat'] } } }
const ofPayments = (id: string) => monitor(id, {}, { labels: { team: 'payments' } })

describe('apply', () => {
  it('notes the monitors that tell nobody, and none that a route tells of', async () => {
    const given = [
      monitor('own', toOps),
      ofPayments('routed'),
      monitor('silent'),
      monitor('off', { enabled: false }),
    ]
    const { code, stderr } = await run('apply -f - --wait', ...given)
    expect([code, stderr]).toEqual([
      0,
      'pulseward: note: 1 monitor tells nobody when it fails: silent. Name an endpoint or a group for red in spec.notifications.\n',
    ])
    expect(await run('apply -f - --wait', ofPayments('routed'))).toMatchObject({ code: 0, stderr: '' })
  })

  it.each(['client', 'server'])('says of a dry run of the %s only what the files show', async (where) => {
    const { code, stderr } = await run(
      `apply -f - --dry-run=${where}`,
      monitor('own', toOps),
      ofPayments('dry'),
    )
    expect([code, stderr]).toEqual([
      0,
      'pulseward: note: 1 monitor names nobody for red: dry. Unless a route matches, nobody is told when it fails.\n',
    ])
  })
})

describe('get', () => {
  it('lists the monitors that tell nobody, and counts them', async () => {
    const { stdout } = await run('get monitors --tells-nobody -o json')
    const { monitors } = JSON.parse(stdout) as { monitors: { monitor_id: string }[] }
    expect(monitors.map(({ monitor_id }) => monitor_id).sort()).toEqual(['from-file', 'silent'])
    expect((await run('get overview')).stdout).toMatch(/^Tell nobody +2$/m)
  })

  it('refuses a flag that a list of v2 does not have', async () => {
    const { code, stderr } = await run('get monitors --tells-nobody -l team=payments')
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('--tells-nobody and --selector cannot be combined'),
    ])
  })
})

describe('who is told', () => {
  const told = /^Told of red +chat \(own rule, group ops; own rule\), pager \(own rule, group ops\)$/m
  const nobody = /^Told of red +nobody$/m

  it.each(['get monitor', 'describe monitor'])('is shown by %s', async (command) => {
    expect((await run(`${command} own`)).stdout).toMatch(told)
    expect((await run(`${command} routed`)).stdout).toMatch(/^Told of red +pager \(route routes\.0\)$/m)
    expect((await run(`${command} silent`)).stdout).toMatch(nobody)
  })

  it('is shown by a monitor’s number too', async () => {
    const { stdout } = await run('get monitors --q own -o json')
    const [{ id }] = (JSON.parse(stdout) as { monitors: [{ id: number }] }).monitors
    expect((await run(`get monitor ${id}`)).stdout).toMatch(told)
  })
})
