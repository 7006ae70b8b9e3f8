// The files in deploy with Prometheus itself: its tool runs the cases of the rules, and a real Prometheus, set up as the
// example says, scrapes a real service of which something fails, and answers every query of the dashboard.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { eventually, temporaryFolder } from '@pulseward/testing'
import { RunningCommand, type RunningService } from '@pulseward/testing/process'
import { describeServer, Prometheus, prometheus, promtool } from '@pulseward/testing/servers'
import { answers, HttpTarget } from '@pulseward/testing/targets'
import { load } from 'js-yaml'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  casesPath,
  examplePath,
  panelQueries,
  readDashboard,
  readRules,
  rulesPath,
} from './deployed-files.ts'

const token = 'a-token-that-only-prometheus-has'

interface ScrapeConfiguration {
  global: object
  scrape_configs: { authorization: { credentials_file: string }; static_configs: { targets: string[] }[] }[]
}

/** The example, with its token file elsewhere. */
function example(tokenFile: string): ScrapeConfiguration {
  const configuration = load(readFileSync(examplePath, 'utf8')) as ScrapeConfiguration
  configuration.scrape_configs[0]!.authorization.credentials_file = tokenFile
  return configuration
}

const rules = { 'rules.yaml': readFileSync(rulesPath, 'utf8') }

describeServer(promtool, (program) => {
  const judge = (...words: string[]) => {
    const { status, stdout, stderr } = spawnSync(program, words, { encoding: 'utf8' })
    return { status, said: stdout + stderr }
  }

  it('accepts the rules and the example', () => {
    expect(judge('check', 'rules', rulesPath)).toMatchObject({ status: 0 })
    using folder = temporaryFolder({ ...rules, token })
    const path = folder.write('prometheus.yaml', JSON.stringify(example(folder.path('token'))))
    expect(judge('check', 'config', path)).toMatchObject({ status: 0 })
  })

  it('sees every alert fire when it should, and none when it should not', () => {
    const { status, said } = judge('test', 'rules', casesPath)
    expect(status, said).toBe(0)
  })

  it('finds nothing to complain about in metrics of single monitors', async () => {
    const service = await failingService()
    const scrape = async () =>
      await (await fetch(`${service.url}/metrics`, { headers: { authorization: `Bearer ${token}` } })).text()
    await eventually(async () => expect(await scrape()).toContain('pulseward_probe_success{'))
    const { status, stdout, stderr } = spawnSync(program, ['check', 'metrics'], {
      input: await scrape(),
      encoding: 'utf8',
    })
    expect({ status, said: stdout + stderr }).toEqual({ status: 0, said: '' })
  })
})

/** Everything that a panel can show is there: failures, a recovery, a dead destination, external jobs, single monitors. */
async function failingService(): Promise<RunningService> {
  const owned = new AsyncDisposableStack()
  onTestFinished(() => owned.disposeAsync())
  const [well, broken, runbook, gone] = await Promise.all(
    Array.from({ length: 4 }, async () => owned.use(await HttpTarget.start())),
  )
  broken!.behave(answers({ status: 500 }))
  gone!.behave(answers({ status: 410 }))
  const monitor = (id: string, target: HttpTarget) => ({
    id,
    name: `The "${id}" target`,
    labels: { team: 'shop' },
    check: { type: 'http', interval: '1s', unhealthy_threshold: 1, config: { url: target.url() } },
  })
  const red = { endpoints: ['gone'] }
  const fleet = {
    version: 1,
    endpoints: { gone: { type: 'webhook', config: { url: gone!.url() } } },
    monitors: [
      monitor('well', well!),
      { ...monitor('broken', broken!), notify: { red } },
      {
        ...monitor('restarted', broken!),
        recovery: { type: 'webhook', settle: '1s', config: { url: runbook!.url() } },
      },
    ],
  }
  const folder = owned.use(temporaryFolder({ 'fleet.json': JSON.stringify(fleet) }))
  const words = ['--config', folder.path('fleet.json'), '--edition', 'next']
  const environment = {
    PULSEWARD_ALLOW_LOOPBACK_NOTIFY: '1',
    PULSEWARD_EXTERNAL_JOBS: 'true',
    PULSEWARD_METRICS_PER_MONITOR: 'team in (shop,search)',
    PULSEWARD_TOKEN: token,
  }
  return owned.use(await RunningCommand.serve(words, { environment }))
}

describeServer(prometheus, (program) => {
  describe('that scrapes a service as the example says', () => {
    const scraping = async (service: RunningService) => {
      const configuration = example('token')
      configuration.global = { scrape_interval: '1s', evaluation_interval: '1s' }
      configuration.scrape_configs[0]!.static_configs = [{ targets: [new URL(service.url).host] }]
      const server = await Prometheus.start(program, configuration, { ...rules, token })
      onTestFinished(() => server[Symbol.asyncDispose]())
      return server
    }

    it('has data for every panel of the dashboard and every recorded name', async () => {
      const server = await scraping(await failingService())
      const dashboard = readDashboard()
      const chosen = new Map([
        ['__rate_interval', '1m'],
        ['job', 'pulseward'],
        ['instance', '.+'],
        ['monitor', '.*'],
      ])
      const queries = panelQueries(dashboard).map(({ title, expr }) => ({
        title,
        expr: expr.replace(/\$(\w+)/g, (_, name) => chosen.get(name)!),
      }))
      const recorded = readRules().flatMap(({ record }) => (record === undefined ? [] : [record]))
      const all = [...queries, ...recorded.map((expr) => ({ title: expr, expr }))]
      expect(all.length).toBeGreaterThan(40)
      // What a service measures comes within seconds; some of it only with the second scrape.
      await eventually(async () => {
        const withoutData: string[] = []
        for (const { title, expr } of all) {
          const series = await server.query(expr)
          if (series.length === 0 || series.some(({ value }) => Number.isNaN(value))) withoutData.push(title)
        }
        expect(withoutData).toEqual([])
      })
    })

    it('offers values for every variable of the dashboard', async () => {
      const server = await scraping(await failingService())
      const variables = readDashboard().templating.list.filter(({ type }) => type === 'query')
      expect(variables.map(({ name }) => name)).toEqual(['job', 'instance', 'monitor'])
      await eventually(async () => {
        for (const { definition } of variables) {
          const [, selector = '', label = ''] = /^label_values\((.+), (\w+)\)$/.exec(definition!) ?? []
          const values = await server.labelValues(label, selector.replace(/\$\w+/g, '.+'))
          expect(values, definition).not.toEqual([])
        }
      })
    })

    it('raises what the service is ill with, and tells monitors apart by their names', async () => {
      const server = await scraping(await failingService())
      await eventually(async () => {
        const pending = await server.query('ALERTS')
        const names = new Set(pending.map(({ metric }) => metric['alertname']))
        expect(names).toContain('PulsewardDestinationDead')
        expect(names).toContain('PulsewardIncidentsOpen')
        const failing = pending.filter(({ metric }) => metric['alertname'] === 'PulsewardMonitorFailing')
        expect(failing.map(({ metric }) => metric['name'])).toContain('The "broken" target')
        expect(failing.map(({ metric }) => metric['name'])).not.toContain('The "well" target')
        expect(names).not.toContain('PulsewardDown')
      })
    })
  })
})
