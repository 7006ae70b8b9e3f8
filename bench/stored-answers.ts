// bench/stored-answers.ts: what a service answers of what it found in its store: pages of v1 and v2, without what happened
// since its start.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ChildProcesses } from './child-processes.ts'
import { startService, stopService } from './service-process.ts'
import { V2Client } from './v2-client.ts'

export interface StoredAnswers {
  readonly byPath: ReadonlyMap<string, string>
  readonly items: number
}

interface Page {
  readonly items: readonly Item[]
  readonly nextCursor?: string
}

type Item = Record<string, unknown>

interface V1Page {
  readonly events?: readonly Item[]
  readonly incidents?: readonly Item[]
}

const pages = 20
/** Everything in the filled store is older. */
const filledBefore = '2025'

export async function storedAnswers(
  children: ChildProcesses,
  { data, store }: { readonly data: string; readonly store: string },
): Promise<StoredAnswers> {
  const environment = { PULSEWARD_STORE: store }
  const service = await startService(children, {
    fleetFile: null,
    data,
    edition: 'next',
    resolver: null,
    environment,
  })
  using client = new V2Client(service.url, readFileSync(join(data, 'operator.token'), 'utf8').trim(), 2)
  const byPath = new Map<string, string>()
  let items = 0
  const keep = (path: string, found: readonly unknown[]) => {
    byPath.set(path, JSON.stringify(found))
    items += found.length
  }
  for (const path of [
    'history?limit=500&monitor_id=monitor-7',
    'history?limit=500&order=asc',
    'incidents?limit=500',
  ]) {
    const body = (await (await fetch(`${service.url}/api/v1/${path}`)).json()) as V1Page
    keep(`/api/v1/${path}`, sinceForever(body.events ?? body.incidents ?? []))
  }
  for (const [path, most] of lists)
    keep(path, sinceForever((await listed(client, path, most)).map(withoutStatus)))
  await stopService(service, 'SIGTERM')
  return { byPath, items }
}

/** The whole list of monitors, and some pages of those that are longer. */
const lists: readonly (readonly [path: string, pages: number])[] = [
  ['/monitors?limit=500', Number.POSITIVE_INFINITY],
  ['/monitors?limit=500&selector=team%3Dteam-7', pages],
  ['/history?limit=500', pages],
  ['/history?limit=500&monitorID=monitor-7', pages],
  ['/incidents?limit=500', pages],
  ['/actions?limit=500', pages],
]

async function listed(client: V2Client, path: string, most: number): Promise<Item[]> {
  const found: Item[] = []
  let cursor = ''
  for (let page = 0; page < most; page++) {
    const { status, text } = await client.get(`${path}${cursor}`)
    if (status !== 200) throw new Error(`${path} was answered ${status}: ${text}`)
    const { items, nextCursor }: Page = JSON.parse(text)
    found.push(...items)
    if (nextCursor === undefined) break
    cursor = `&cursor=${encodeURIComponent(nextCursor)}`
  }
  return found
}

/** Without what this service has added or changed: its times are those of today. */
function sinceForever(items: readonly Item[]): Item[] {
  return items.filter((item) => !timesIn(item).some((time) => time > filledBefore))
}

function timesIn(item: unknown): string[] {
  return JSON.stringify(item).match(/(?<=")\d{4}-\d\d-\d\dT[^"]*(?=")/g) ?? []
}

/** How a monitor is changes with its first check, and an action with what became of it. */
function withoutStatus({ status: _status, ...item }: Item): Item {
  return item
}
