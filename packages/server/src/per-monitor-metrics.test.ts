// metrics.per_monitor from the variable to what a metrics server reads, over real fleet files.
import { eventually, temporaryFolder } from '@pulseward/testing'
import { readMetrics } from '@pulseward/testing/api'
import { describe, expect, it } from 'vitest'
import { startApp } from './app.ts'
import { resolveSettings } from './config/settings/resolve-settings.ts'
import { systemClock } from './platform/clock.ts'
import { silentLog } from './telemetry/log.ts'

const line = (id: string, team: string, interval = '1s') =>
  JSON.stringify({
    id,
    name: id,
    labels: { team },
    check: { type: 'tcp', interval, config: { host: '127.0.0.1', port: 1 } },
  })

const lines = (count: number) =>
  Array.from({ length: count }, (_, number) => line(`m-${number}`, 'payments', '1h')).join('\n')

function start(folder: ReturnType<typeof temporaryFolder>, edition: string) {
  const environment = {
    PULSEWARD_CONFIG: folder.path('fleet.ndjson'),
    PULSEWARD_DATA: folder.path('data'),
    PULSEWARD_EDITION: edition,
    PULSEWARD_LISTEN: '127.0.0.1:0',
    PULSEWARD_METRICS_PER_MONITOR: 'team in (payments,search)',
    PULSEWARD_PROBE_THREADS: '1',
  }
  const { values: settings } = resolveSettings({ flags: new Map(), environment, file: null })
  return startApp({ settings, token: null, environment, clock: systemClock, log: silentLog })
}

async function monitorsIn(url: string): Promise<unknown[]> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const { samples } = readMetrics(text, 'prometheus').get('pulseward_probe_success') ?? { samples: [] }
  return samples.map(({ labels, value }) => [labels['monitor_id'], value])
}

describe.each(['main', 'candidate', 'next'])('metrics.per_monitor in edition %s', (edition) => {
  it('gives the monitors that it selects series of their own, and follows a reload', async () => {
    using folder = temporaryFolder({ 'fleet.ndjson': `${line('a', 'payments')}\n${line('b', 'other')}\n` })
    await using app = await start(folder, edition)
    await eventually(async () => expect(await monitorsIn(app.url)).toEqual([['a', 0]]))
    folder.write('fleet.ndjson', `${line('a', 'other')}\n${line('b', 'search')}\n`)
    expect(await app.reload()).toMatchObject({ applied: true })
    await eventually(async () => expect(await monitorsIn(app.url)).toEqual([['b', 0]]))
  })
})

describe('metrics.per_monitor that selects more than 10,000', () => {
  it('starts all the same, and says how many have no series', async () => {
    using folder = temporaryFolder({ 'fleet.ndjson': lines(10_001) })
    await using app = await start(folder, 'candidate')
    const metrics = await (await fetch(`${app.url}/metrics`)).text()
    expect(metrics).toContain('pulseward_per_monitor_left_out 1\n')
  })
})
