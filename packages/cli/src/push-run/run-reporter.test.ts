import { createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { PushService } from './push-service.fixture.ts'
import { type Patience, RunReporter } from './run-reporter.ts'

const key = 'k'.repeat(22)
/** However busy the machine is, only what a test is about comes to its end. */
const patient: Patience = { totalMs: 3_600_000, requestMs: 3_600_000, startMs: 3_600_000, pauseMs: 1 }

function reporting(server: string, patience: Patience = patient) {
  const said: string[] = []
  const reporter = new RunReporter({ server, key, id: 'run-1' }, (sentence) => said.push(sentence), patience)
  return { reporter, said }
}

const output = Buffer.from('the end')

describe('a run', () => {
  it('is reported by its start, then by its exit code with the output', async () => {
    await using service = await PushService.start()
    const { reporter, said } = reporting(`${service.url}/`)
    reporter.started()
    await reporter.ended(3, output)
    const common = { method: 'POST', key, rid: 'run-1' }
    expect(service.signals).toEqual([
      { ...common, what: 'start', body: '' },
      { ...common, what: '3', body: 'the end' },
    ])
    expect(said).toEqual([])
  })

  it('is reported by its end alone where its start hangs', async () => {
    await using service = await PushService.start()
    service.answer = ({ what }) => (what === 'start' ? 'silence' : { body: 'ok' })
    const { reporter, said } = reporting(service.url, { ...patient, startMs: 1 })
    reporter.started()
    await service.until(({ length }) => length === 1)
    await reporter.ended(0, output)
    expect(service.signals.map(({ what }) => what)).toEqual(['start', '0'])
    expect(said).toEqual([])
  })

  it.each([
    ['resets connections', 'reset'],
    ['gives no answer', 'silence'],
    ['fails', { status: 500 }],
    ['asks to wait', { status: 503, headers: { 'Retry-After': '0' } }],
    ['has had too many', { status: 429, headers: { 'Retry-After': '0' } }],
  ] as const)('is reported again to a service that %s at first', async (_title, answer) => {
    await using service = await PushService.start()
    let left = 2
    service.answer = () => (left-- > 0 ? answer : { body: 'ok' })
    const requestMs = answer === 'silence' ? 1_000 : patient.requestMs
    const { reporter, said } = reporting(service.url, { ...patient, requestMs })
    await reporter.ended(0, output)
    expect(service.signals.map(({ what }) => what)).toEqual(['0', '0', '0'])
    expect(said).toEqual([])
  })

  it('is not reported before the time that the service asks for', async () => {
    await using service = await PushService.start()
    service.answer = () => ({ status: 503, headers: { 'Retry-After': '3' } })
    const { reporter, said } = reporting(service.url, { ...patient, totalMs: 2_000 })
    await reporter.ended(0, output)
    expect(service.signals).toHaveLength(1)
    expect(said).toEqual(['the service was not told how the job ended: it answered with status 503'])
  })

  it.each([
    [404, 'it knows no push monitor with this key (status 404)'],
    [405, 'it answered with status 405'],
    [302, 'its address redirects (status 302); give the one it leads to'],
  ])('is not reported twice to a service that answers %i', async (status, why) => {
    await using service = await PushService.start()
    service.answer = () => ({ status, headers: { Location: `${service.url}/elsewhere` } })
    const { reporter, said } = reporting(service.url)
    await reporter.ended(0, output)
    expect(service.signals).toHaveLength(1)
    expect(said).toEqual([`the service was not told how the job ended: ${why}`])
  })

  it('is given up after a while when nobody answers, without a word about the key', async () => {
    const { reporter, said } = reporting(`http://127.0.0.1:${await closedPort()}`, {
      ...patient,
      totalMs: 50,
    })
    reporter.started()
    await reporter.ended(0, output)
    expect(said).toEqual(['the service was not told how the job ended: it refused the connection'])
  })

  it('is given up at once when the caller cannot wait', async () => {
    await using service = await PushService.start()
    service.answer = () => ({ status: 503, headers: { 'Retry-After': '60' } })
    const { reporter, said } = reporting(service.url)
    const ended = reporter.ended(0, output)
    await service.until(({ length }) => length === 1)
    reporter.giveUp()
    await ended
    expect(said).toHaveLength(1)
  })
})

async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}
