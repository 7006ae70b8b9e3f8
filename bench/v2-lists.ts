// bench/v2-lists.ts: times pages of the list of a running fleet, and compares them with what they must contain.
import type { V2Client } from './v2-client.ts'

const pageSize = 500
const pages = 400

export interface ListedMonitor {
  readonly id: string
  readonly etag: string
}

export interface ListTimes {
  readonly latenciesMs: readonly number[]
  /** In the order of the list. */
  readonly monitors: readonly ListedMonitor[]
  readonly undone: readonly string[]
}

interface Item {
  readonly metadata: {
    readonly id: string
    readonly resourceVersion: string
    readonly managedBy: string
    readonly labels?: Readonly<Record<string, string>>
  }
  readonly status: { readonly lastCheckedAt?: string }
}

/** Page after page of the whole list, starting again at its end. */
export async function timeList(client: V2Client, wholePages: number): Promise<ListTimes> {
  return walk(client, '', wholePages, ({ metadata, status }) =>
    metadata.managedBy === 'api' && status.lastCheckedAt !== undefined ? null : 'is not a running one of v2',
  )
}

/** The same for monitors with one label. */
export async function timeSelector(client: V2Client, slice: string, wholePages: number): Promise<ListTimes> {
  return walk(client, `&selector=${encodeURIComponent(`slice=${slice}`)}`, wholePages, ({ metadata }) =>
    metadata.labels?.['slice'] === slice ? null : `has not the label ${slice}`,
  )
}

async function walk(
  client: V2Client,
  words: string,
  wholePages: number,
  mistakeIn: (item: Item) => string | null,
): Promise<ListTimes> {
  const latenciesMs: number[] = []
  const monitors: ListedMonitor[] = []
  const undone = new Set<string>()
  let cursor = ''
  let last = ''
  let inList = 0
  for (let page = 0; page < pages; page++) {
    const startedMs = performance.now()
    const { status, text } = await client.get(`/monitors?limit=${pageSize}${words}${cursor}`)
    latenciesMs.push(performance.now() - startedMs)
    if (status !== 200) throw new Error(`A list was answered ${status}: ${text}`)
    const { items, nextCursor }: { items: Item[]; nextCursor?: string } = JSON.parse(text)
    for (const item of items) {
      const { id, resourceVersion } = item.metadata
      const mistake = id > last ? mistakeIn(item) : 'is listed twice or out of order'
      if (mistake !== null) undone.add(`A listed monitor ${mistake}, such as ${id}.`)
      last = id
      monitors.push({ id, etag: `"${resourceVersion}"` })
    }
    inList++
    const isWhole = items.length === pageSize
    if (!isWhole && inList <= wholePages) undone.add(`A page holds ${items.length} monitors.`)
    if (nextCursor === undefined) [cursor, last, inList] = ['', '', 0]
    else cursor = `&cursor=${encodeURIComponent(nextCursor)}`
  }
  return { latenciesMs, monitors, undone: [...undone].slice(0, 5) }
}
