// The metrics of the editions as a metrics server gets them.
import { destinationStates, staleReasons, statuses } from '@pulseward/contract'
import { eventually } from '@pulseward/testing'
import { readMetrics } from '@pulseward/testing/api'
import {
  markup,
  type ServeOptions,
  serveEdition,
  serveNext,
  troubledFleet,
  withExternalJobs,
} from '@pulseward/testing/editions'
import { endpoints, http, TestService } from '@pulseward/testing/engine'
import { describe, expect, it, onTestFinished } from 'vitest'
import { metricRegistry } from './metric-registry.ts'

const editions = ['main', 'candidate'] as const
type Name = (typeof editions)[number] | 'next'
const openMetrics = 'application/openmetrics-text; version=1.0.0'

async function scraping(edition: Name, service: TestService, options: ServeOptions = {}) {
  const served =
    edition === 'next' ? await serveNext(service, options) : await serveEdition(edition, service, options)
  onTestFinished(() => served[Symbol.asyncDispose]())
  if (options.begins !== false)
    await eventually(async () => expect((await served.get('overview')).status).toBe(200))
  return async (accept = '*/*') => {
    const answer = await served.get('/metrics', { headers: { accept } })
    const { headers } = answer
    return { type: headers.get('content-type'), vary: headers.get('vary'), text: await answer.text() }
  }
}

describe.each(editions)('metrics of %s', (edition) => {
  it('come in the form that is asked for, and both say the same', async () => {
    const scrape = await scraping(edition, await troubledFleet())
    // Again, if something was measured for the first time between the two.
    await eventually(async () => {
      const [plain, open] = [await scrape(), await scrape(openMetrics)]
      expect(plain.type).toBe('text/plain; version=0.0.4; charset=utf-8')
      expect(open.type).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8')
      for (const { vary } of [plain, open]) expect(vary).toBe('Accept, Accept-Encoding')
      const [read, readOpen] = [readMetrics(plain.text, 'prometheus'), readMetrics(open.text, 'openmetrics')]
      expect([...readOpen.keys()]).toEqual([...read.keys()].map((name) => name.replace(/_total$/, '')))
    })
  })

  it('have the families of the contract', async () => {
    const families = readMetrics(
      (await (await scraping(edition, await troubledFleet()))()).text,
      'prometheus',
    )
    const names = [...families.keys()].map((name) => name.replace(/^pulseward_/, ''))
    for (const name of [
      'monitors',
      'monitors_by_status',
      'monitors_by_pulse_type',
      'monitors_by_code',
      'checks_total',
      'check_duration_seconds',
      'schedule_delay_seconds',
      'notifications_total',
      'recoveries_total',
      'build_info',
      'queue_depth',
      'queue_dropped_total',
      'pool_busy',
      'process_cpu_seconds_total',
      'incidents_open',
      'ready',
      'last_reload_successful',
      'last_reload_timestamp_seconds',
      'destination_state',
      'process_open_fds',
      'process_max_fds',
    ])
      expect(names).toContain(name)
    const ofCandidate = names.filter((name) => /^(slo|store)_/.test(name))
    expect(ofCandidate.length > 0).toBe(edition === 'candidate')
    const byStatus = families.get('pulseward_monitors_by_status')!.samples
    expect(byStatus.map(({ labels }) => labels['status'])).toEqual([...statuses])
    expect(byStatus.reduce((sum, { value }) => sum + value, 0)).toBe(10)
  })

  it('say nothing of monitors while nothing is known of them, never 0', async () => {
    const scrape = await scraping(edition, await TestService.start({ monitors: [http('edge')] }), {
      begins: false,
    })
    const families = readMetrics((await scrape()).text, 'prometheus')
    const ofMonitors = [...families.keys()].filter((name) => name.startsWith('pulseward_monitors'))
    expect(ofMonitors).toEqual(edition === 'main' ? [] : expect.any(Array))
    expect(families.has('pulseward_incidents_open')).toBe(edition === 'candidate')
  })

  it('have the counters of every configured driver with 0 from the start, and of no other', async () => {
    const recovery = { type: 'webhook', config: { url: 'http://runbooks.test/' } }
    const service = await TestService.start({
      monitors: [{ ...http('edge'), recovery }],
      head: endpoints('ops'),
    })
    const families = readMetrics((await (await scraping(edition, service))()).text, 'prometheus')
    const valuesOf = (name: string, label: string) =>
      families
        .get(`pulseward_${name}`)!
        .samples.map(({ labels, value }) => [labels[label], labels['outcome'], value])
    expect(valuesOf('checks_total', 'type')).toEqual(
      ['success', 'failure', 'timeout', 'no_data', 'own_fault'].map((outcome) => ['http', outcome, 0]),
    )
    const ends = ['succeeded', 'failed', 'unknown']
    expect(valuesOf('notifications_total', 'driver')).toEqual(ends.map((end) => ['log', end, 0]))
    expect(valuesOf('recoveries_total', 'driver')).toEqual(ends.map((end) => ['webhook', end, 0]))
    expect(families.has('pulseward_check_duration_seconds')).toBe(true)
    expect(families.has('pulseward_schedule_delay_seconds')).toBe(true)
  })

  it('say in which state each destination is, and in which it is not', async () => {
    const text = (await (await scraping(edition, await troubledFleet()))()).text
    const { samples } = readMetrics(text, 'prometheus').get('pulseward_destination_state')!
    const statesOf = (endpoint: string) =>
      samples
        .filter(({ labels }) => labels['endpoint'] === endpoint)
        .map(({ labels, value }) => [labels['state'], value])
    expect(statesOf('ops')).toEqual(destinationStates.map((state) => [state, Number(state === 'ok')]))
    expect(statesOf('dead')).toEqual(destinationStates.map((state) => [state, Number(state === 'dead')]))
  })

  it('say how many incidents are open, how the fleet was last read, and how many descriptors there are', async () => {
    const service = await troubledFleet()
    const text = (await (await scraping(edition, service))()).text
    const reading = (name: string) => readMetrics(text, 'prometheus').get(name)!.samples[0]!.value
    expect(reading('pulseward_incidents_open')).toBe(service.overview().incidents)
    expect(reading('pulseward_last_reload_successful')).toBe(1)
    expect(reading('pulseward_last_reload_timestamp_seconds')).toBe(service.clock.wallMs() / 1_000)
    expect(reading('process_open_fds')).toBeGreaterThan(3)
    expect(reading('process_max_fds')).toBeGreaterThan(reading('process_open_fds'))
  })

  it('say whether the service is ready', async () => {
    const service = await TestService.start({ monitors: [http('edge')] })
    const scrape = await scraping(edition, service, { settings: { snapshot_interval: 3_600_000 } })
    const ready = async () =>
      readMetrics((await scrape()).text, 'prometheus').get('pulseward_ready')!.samples[0]!.value
    expect(await ready()).toBe(1)
    service.clock.advance(30_001)
    expect(await ready()).toBe(0)
  })

  it('say why data is not kept up to date, and that it is', async () => {
    const service = await TestService.start({ monitors: [http('edge')] })
    const scrape = await scraping(edition, service, { settings: { snapshot_interval: 3_600_000 } })
    const reasons = async () =>
      readMetrics((await scrape()).text, 'prometheus')
        .get('pulseward_stale')!
        .samples.map(({ labels, value }) => [labels['reason'], value])
    expect(await reasons()).toEqual(staleReasons.map((reason) => [reason, 0]))
    service.clock.advance(30_001)
    const current = edition === 'main' ? 'stale_snapshot' : 'controller_stalled'
    expect(await reasons()).toEqual(staleReasons.map((reason) => [reason, Number(reason === current)]))
  })

  it('are at most 200 series, however many monitors there are, and name none of them', async () => {
    const few = (await (await scraping(edition, await troubledFleet()))()).text
    expect(seriesOf(few)).toBeLessThanOrEqual(200)
    expect(few).not.toContain(markup)
    const monitors = Array.from({ length: 300 }, (_, number) => http(`m-${number}`))
    const service = await TestService.start({ monitors })
    await service.advance({ seconds: 11 })
    const many = (await (await scraping(edition, service))()).text
    expect(seriesOf(many)).toBeLessThanOrEqual(200)
    expect(many).not.toContain('m-1')
  })
})

describe('metrics of next', () => {
  const families = async (options: ServeOptions) => {
    const { text } = await (await scraping('next', await troubledFleet(), options))()
    expect(seriesOf(text)).toBeLessThanOrEqual(200)
    return readMetrics(text, 'prometheus')
  }

  it('say nothing of external workers while external jobs are off', async () => {
    const names = [...(await families({})).keys()]
    expect(names).toContain('pulseward_problems')
    expect(names.filter((name) => name.startsWith('pulseward_external_'))).toEqual([])
  })

  it('have a counter for every result that a worker may report, with 0 from the start', async () => {
    const { samples } = (await families(withExternalJobs)).get('pulseward_external_results_total')!
    const reported = samples.map(({ labels, value }) => [labels['kind'], labels['status'], value])
    expect(reported).toEqual([
      ['check', 'success', 0],
      ['check', 'failure', 0],
      ['check', 'noData', 0],
      ['recovery', 'accepted', 0],
      ['recovery', 'completed', 0],
      ['recovery', 'rejected', 0],
      ['recovery', 'unknown', 0],
      ['notification', 'accepted', 0],
      ['notification', 'delivered', 0],
      ['notification', 'rejected', 0],
      ['notification', 'unknown', 0],
    ])
  })
})

function seriesOf(text: string): number {
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#')).length
}

it('are those of the registry, every family and no other', async () => {
  const settings = { external_jobs: true, 'metrics.per_monitor': [{ key: 'none', is: 'absent' }] } as const
  const { text } = await (await scraping('next', await troubledFleet(), { settings }))()
  const exposed = readMetrics(text, 'prometheus')
    .values()
    .map(({ name, type, help, samples }) => {
      const labels = Object.keys(samples[0]!.labels).filter((label) => label !== 'le')
      return { name, type, help, labels }
    })
    .toArray()
  const registered = Object.entries(metricRegistry).map(([name, { type, help, labels }]) => ({
    name,
    type,
    help,
    labels,
  }))
  // Not measured yet in a service that has just been put together, only with a store that processes share, or only
  // with other locations.
  const sometimes = /_oldest_seconds|_p99_seconds|_service_time_/
  const isOfSome = (name: string) =>
    ['shared', 'locations'].includes(metricRegistry[name as keyof typeof metricRegistry]?.presence)
  const isAlways = ({ name }: { name: string }) => !sometimes.test(name) && !isOfSome(name)
  expect(exposed.filter(isAlways)).toEqual(registered.filter(isAlways))
  expect(registered).toEqual(expect.arrayContaining(exposed))
})

it('are named by their units', () => {
  for (const [name, { unit, type }] of Object.entries(metricRegistry)) {
    const suffix = /_(seconds|bytes|ratio)(_total)?$/.exec(name)?.[1]
    const named = { seconds: ['seconds', 'time'], bytes: ['bytes'], ratio: ['ratio'] }[suffix ?? ''] ?? [
      'count',
      'flag',
    ]
    expect(named, name).toContain(unit)
    expect(name.endsWith('_total'), name).toBe(type === 'counter')
  }
})
