// Monitors are named by id, by number, or by name where a fleet file gives no id; incidents also by their monitor.
import type { v2 } from '@pulseward/contract'
import { temporaryFolder, until } from '@pulseward/testing'
import { serveInProcess } from '@pulseward/testing/process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runInProcess } from '../client/command.fixture.ts'
import { ServedNext, samples } from '../client/served.fixture.ts'

const check =
  '{ type: tcp, interval: 1s, timeout: 1s, unhealthy_threshold: 1, config: { host: 127.0.0.1, port: 1 } }'
const fleet = `
monitors:
  - { id: from-file, name: From a file, check: ${check} }
  - { name: "Without an id", check: ${check} }
`

interface Listed {
  readonly monitors: { id: number; name: string; monitor_id: string; incident: boolean }[]
}

describe('in the edition next', () => {
  let served: ServedNext
  const numbers = new Map<string, number>()
  const run = (line: string) => served.run(line.split(' '))
  const resource = async (id: string) =>
    JSON.parse((await run(`get monitor ${id} -o json`)).stdout) as v2.Monitor

  beforeAll(async () => {
    served = await ServedNext.start({ fleet })
    await served.apply(samples.monitor('shop'), samples.monitor('edge'))
    await until(async () => {
      const { monitors } = JSON.parse((await run('get monitors -o json')).stdout) as Listed
      for (const { id, monitor_id: monitorId } of monitors) numbers.set(monitorId, id)
      return monitors.some((one) => one.monitor_id === 'from-file' && one.incident)
    })
  })
  afterAll(() => served[Symbol.asyncDispose]())

  it.each([
    ['disable NAMED', 'Monitor shop is disabled.'],
    ['enable NAMED', 'Monitor shop is enabled.'],
    ['enable monitor/NAMED', 'Monitor shop is enabled.'],
    ['snooze NAMED --for 1h --reason x', 'Monitor shop is snoozed for 1h.'],
    ['patch monitor NAMED -p {"metadata":{"name":"Shop"}}', 'Monitor shop is changed.'],
    ['get monitor NAMED', /^ID +shop$/m],
    ['get monitors NAMED', /^ID +shop$/m],
    ['describe monitor NAMED', /^ID +shop$/m],
    ['describe monitor/NAMED -o json', /"id": "shop"/],
    ['get state --monitor NAMED', /^Store +sqlite/],
    ['get history --monitor NAMED', /shop +Snoozed by/],
    ['get actions --monitor NAMED', /^There is no action\./],
  ])('%s takes the id and the number', async (line, said) => {
    for (const named of ['shop', String(numbers.get('shop'))]) {
      const { code, stdout, stderr } = await run(line.replace('NAMED', named))
      expect([code, stderr]).toEqual([0, ''])
      if (typeof said === 'string') expect(stdout).toBe(`${said}\n`)
      else expect(stdout).toMatch(said)
    }
  })

  it('unsnooze takes the number', async () => {
    expect((await run(`unsnooze ${numbers.get('shop')}`)).stdout).toBe('Monitor shop is no longer snoozed.\n')
  })

  it('an id that looks like the number of another monitor is that id', async () => {
    const taken = String(numbers.get('edge'))
    await served.apply(samples.monitor(taken))
    for (const line of ['get monitor', 'describe monitor'])
      expect((await run(`${line} ${taken}`)).stdout).toMatch(new RegExp(`^ID +${taken}$`, 'm'))
    expect((await resource(taken)).metadata.id).toBe(taken)
    expect((await run(`disable ${taken}`)).stdout).toBe(`Monitor ${taken} is disabled.\n`)
    expect((await resource('edge')).spec.enabled).toBeUndefined()
    expect((await run(`delete monitor ${taken}`)).stdout).toBe(`Monitor ${taken} is deleted.\n`)
    expect((await run(`delete monitor ${taken}`)).stdout).toBe('Monitor edge is deleted.\n')
  })

  it('a monitor without an id is shown and found by its name', async () => {
    expect((await run('get monitors')).stdout).toMatch(/^Without an id +\w+ +Without an id /m)
    for (const line of ['describe monitor', 'get monitor', 'wait monitor']) {
      const words = [
        ...line.split(' '),
        'Without an id',
        ...(line.startsWith('wait') ? ['--for', 'down'] : []),
      ]
      const { code, stdout } = await served.run(words)
      expect([line, code]).toEqual([line, 0])
      if (!line.startsWith('wait')) expect(stdout).toMatch(/^ID +Without an id$/m)
    }
  })

  it('an incident is found by its monitor, by id or number', async () => {
    const incident = (await resource('from-file')).status!.incidentID!
    for (const named of ['from-file', String(numbers.get('from-file'))]) {
      expect((await run(`describe incident ${named}`)).stdout).toMatch(
        new RegExp(`^Incident +${incident}$`, 'm'),
      )
      expect((await run(`wait incident ${named} --for open`)).code).toBe(0)
      expect((await run(`ack ${named}`)).stdout).toBe(`Incident ${incident} is acknowledged.\n`)
    }
    const described = await run('describe incident from-file')
    expect(described.stdout).toMatch(/^Acknowledged +by first, /m)
    expect((await run('describe monitor from-file')).stdout).toMatch(/^Acknowledged by +first$/m)
  })

  it.each([
    ['ack shop', 'Monitor shop has no open incident.'],
    ['describe incident nobody', 'There is no open incident with this id'],
    ['describe monitor nobody', 'There is no monitor "nobody"'],
    ['describe monitor 4000000000', 'There is no monitor "4000000000"'],
    ['get monitor nobody', 'There is no monitor "nobody"'],
    ['get monitor 4000000000', 'No monitor has the number 4000000000'],
    ['disable 4000000000', 'There is no monitor "4000000000"'],
    ['get actions --monitor nobody', 'There is no monitor "nobody"'],
  ])('%s is answered with 1 and a sentence', async (line, words) => {
    const { code, stdout, stderr } = await run(line)
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr.toLowerCase()).toContain(words.toLowerCase())
  })

  it('of a monitor that has left, the history is named', async () => {
    await served.apply(samples.monitor('gone'))
    await run('snooze gone --for 1h --reason x')
    await run('delete monitor gone')
    const { code, stderr } = await run('get monitor gone')
    expect(code).toBe(1)
    expect(stderr).toContain('pulseward get history --monitor gone')
  })
})

it('the edition candidate has no v2 and understands ids all the same', async () => {
  using folder = temporaryFolder({ 'fleet.yaml': fleet })
  await using service = await serveInProcess([
    ...['--edition', 'candidate', '--store', 'memory', '--config', folder.path('fleet.yaml')],
  ])
  const run = (...words: string[]) => runInProcess([...words, '--server', service.url])
  const { monitors } = JSON.parse((await run('get', 'monitors', '-o', 'json')).stdout) as Listed
  const number = String(monitors.find((one) => one.monitor_id === 'from-file')!.id)
  for (const named of ['from-file', number]) {
    expect((await run('get', 'monitor', named)).stdout).toMatch(/^ID +from-file$/m)
    const { code, stdout } = await run('describe', 'monitor', named)
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^Next +The next check is at /m)])
    expect((await run('describe', 'monitor', named, '-o', 'json')).stdout).toContain(
      '"monitor_id": "from-file"',
    )
  }
  expect((await run('get', 'monitor', 'Without an id')).stdout).toMatch(/^Name +Without an id$/m)
})

it('the edition main has numbers only', async () => {
  using folder = temporaryFolder({ 'fleet.yaml': fleet })
  await using service = await serveInProcess(['--edition', 'main', '--config', folder.path('fleet.yaml')])
  const run = (...words: string[]) => runInProcess([...words, '--server', service.url])
  await expect.poll(async () => (await run('get', 'monitors')).code).toBe(0)
  const { monitors } = JSON.parse((await run('get', 'monitors', '-o', 'json')).stdout) as Listed
  const { id, name } = monitors[0]!
  expect((await run('get', 'monitors')).stdout).toMatch(new RegExp(`^ *${id} +\\w+ +${name} `, 'm'))
  expect((await run('get', 'monitor', String(id))).stdout).toMatch(new RegExp(`^ID +${id}$`, 'm'))
  expect((await run('describe', 'monitor', String(id))).code).toBe(0)
})
