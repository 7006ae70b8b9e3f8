// The metrics of both editions as a metrics server gets them.
import { statuses } from '@pulseward/contract'
import { http, TestService } from '@pulseward/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { eventually } from '../../../testing/src/eventually.ts'
import { readMetrics } from '../../../testing/src/openmetrics.ts'
import { type ServeOptions, serveEdition } from '../../../testing/src/served-edition.ts'
import { markup, troubledFleet } from '../../../testing/src/troubled-fleet.ts'

const editions = ['main', 'candidate'] as const
type Name = (typeof editions)[number]
const openMetrics = 'application/openmetrics-text; version=1.0.0'

async function scraping(edition: Name, service: TestService, options: ServeOptions = {}) {
  const served = await serveEdition(edition, service, options)
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
      ...['monitors', 'monitors_by_status', 'monitors_by_pulse_type', 'monitors_by_code', 'checks_total'],
      ...[
        'check_duration_seconds',
        'schedule_delay_seconds',
        'notifications_total',
        'recoveries_total',
        'build_info',
      ],
      ...['queue_depth', 'queue_dropped_total', 'pool_busy', 'process_cpu_seconds_total'],
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
    for (const name of ['checks_total', 'check_duration_seconds', 'notifications_total', 'recoveries_total'])
      expect(families.has(`pulseward_${name}`)).toBe(false)
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

function seriesOf(text: string): number {
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#')).length
}
