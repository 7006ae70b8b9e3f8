// bench/soak.ts: the fleet of the demo for half an hour, with providers that fail in every way. A real
// `pulseward serve`: is every incident finally reported to every destination, and does its memory stay flat?
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { setStage } from '../packages/cli/src/demo/stage.ts'
import { wholeNumber } from '../scripts/command-line/flags.ts'
import { defineBenchmark, type Measurement } from './benchmark.ts'
import { ChildProcesses } from './child-processes.ts'
import { cpuSeconds, rssBytes } from './process-usage.ts'
import { get, type Service, startService } from './service-process.ts'
import { growth, type Taken, undoneSoak, unheard } from './soak-work.ts'
import { eventsOf } from './storm-history.ts'

const cooldownSeconds = 60
/** At the end nothing fails any more, so that everything owed can be sent. */
const calmSeconds = 6 * cooldownSeconds
const looksEveryMs = 10_000

interface Providers {
  readonly providers: number
  readonly control: number
  readonly names: readonly string[]
}

export const soak = defineBenchmark({
  about: 'The fleet of the demo with providers that fail: is every incident told, and is memory flat?',
  flags: {
    monitors: wholeNumber(5_000, 'monitors of the demo'),
    minutes: wholeNumber(30, 'how long it takes, with the calm at the end', 12),
    seed: wholeNumber(1, 'of the fleet and of the faults'),
  },
  run: ({ monitors, minutes, seed }) => run(monitors, minutes, seed),
})

async function run(monitors: number, minutes: number, seed: number): Promise<Measurement> {
  await using owned = new AsyncDisposableStack()
  using children = new ChildProcesses()
  const providers = await children.helper<Providers>('soak-providers.ts', [String(seed)])
  const { fleetFolder } = await setStage({ monitors, seed }, owned)
  writeEndpoints(fleetFolder, providers)
  const service = await startService(children, {
    fleetFile: fleetFolder,
    edition: 'candidate',
    resolver: null,
    environment: {
      PULSEWARD_ALLOW_LOOPBACK_NOTIFY: '1',
      PULSEWARD_ALERT_COOLDOWN: `${cooldownSeconds}s`,
    },
  })
  const memory = await watch(service, (minutes * 60 - calmSeconds) * 1000)
  const say = (word: string) => fetch(`http://127.0.0.1:${providers.control}/${word}`)
  await say('calm')
  const calmFrom = new Date().toISOString()
  memory.push(...(await watch(service, calmSeconds * 1000)))
  const heard = (await (await say('counts')).json()) as {
    taken: Record<string, Taken>
    refused: Record<string, number>
  }
  const refused = Object.values(heard.refused).reduce((sum, count) => sum + count, 0)
  const result = { ...(await readHistory(service.url, calmFrom)), taken: heard.taken, refused, memory }
  const figures = {
    monitors,
    minutes,
    incidents: result.incidents.length,
    refused: heard.refused,
    told: Object.fromEntries(Object.entries(heard.taken).map(([name, one]) => [name, counts(one)])),
    dropped: result.dropped,
    unheard: unheard(result),
    rss_first_bytes: memory[0],
    rss_last_bytes: memory.at(-1),
    rss_growth: growth(memory),
    cpu_seconds: cpuSeconds(service.pid),
    destinations: (await get(service.url, 'queues')).destinations,
  }
  for (const [name, value] of Object.entries(figures))
    console.error(`${name.padEnd(18)} ${typeof value === 'object' ? JSON.stringify(value) : value}`)
  return { figures, undone: undoneSoak(result) }
}

/** Red and green of every monitor to every provider. */
function writeEndpoints(folder: string, { providers, names }: Providers): void {
  const endpoints = names.map((name) => [
    name,
    { type: 'webhook', config: { url: `http://127.0.0.1:${providers}/${name}` } },
  ])
  const routes = ['1', '2', '3'].map((tier) => ({
    match: { tier },
    colors: ['red', 'green'],
    endpoints: names,
  }))
  writeFileSync(
    join(folder, 'endpoints.json'),
    JSON.stringify({ version: 1, endpoints: Object.fromEntries(endpoints), routes }),
  )
}

async function watch({ pid }: Service, ms: number): Promise<number[]> {
  const samples: number[] = []
  for (const endMs = performance.now() + ms; performance.now() < endMs; await sleep(looksEveryMs))
    samples.push(rssBytes(pid))
  return samples
}

/** Incidents that were opened before the calm phase and are closed, and those of dropped digests. */
async function readHistory(url: string, calmFrom: string) {
  const opened = new Set<string>()
  const incidents: string[] = []
  const dropped: Record<string, number> = {}
  for await (const event of eventsOf(url)) {
    if (event.type === 'incident_opened' && event.at < calmFrom) opened.add(event.incident_id!)
    if (event.type === 'incident_closed' && opened.has(event.incident_id!)) incidents.push(event.incident_id!)
    if (event.type === 'digest_dropped')
      dropped[event.endpoint!] =
        (dropped[event.endpoint!] ?? 0) + Number(/^\d+/.exec(event.reason ?? '') ?? 0)
  }
  return { incidents, dropped }
}

function counts({ reds, carried, digests }: Taken) {
  return { by_red: new Set(reds).size, by_green: carried, by_digest: digests }
}
