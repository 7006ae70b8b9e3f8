// crash/bulk-crash-client.ts: a client of operations that does not give up. The state that the service
// reports decides what it does next, even if the service was killed in between.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { v2 } from '@pulseward/contract'
import { canonicalDigest } from '@pulseward/server'

export function bulkItem(number: number, tag: string): v2.ApplyItem {
  const id = `bulk-${String(number).padStart(7, '0')}`
  const driver = { type: 'http', config: { url: `http://127.0.0.1:9/${number}` } }
  const resource = {
    apiVersion: v2.apiVersion,
    kind: 'Monitor',
    metadata: { id, labels: { team: `team-${number % 100}` } },
    spec: { check: { driver, interval: '24h', timeout: '5s' }, enabled: false, tags: [tag] },
  } as const satisfies v2.Resource
  const source = `fleet.ndjson:${number + 1}`
  return { id: `Monitor/${id}`, contentDigest: canonicalDigest(resource), source, resource }
}

function collectionDigest(count: number, tag: string): string {
  const digest = createHash('sha256')
  for (let number = 0; number < count; number++) {
    const { id, contentDigest } = bulkItem(number, tag)
    digest.update(`${id} ${contentDigest}\n`)
  }
  return `sha256:${digest.digest('hex')}`
}

/** The service is not running, or went away in the middle of an answer. */
export class ServiceGone extends Error {}

export class BulkCrashClient {
  readonly #data: string
  #url = ''

  constructor(data: string) {
    this.#data = data
  }

  set url(url: string) {
    this.#url = url
  }

  async call<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    const token = readFileSync(`${this.#data}/operator.token`, 'utf8').trim()
    let response: Response
    let text: string
    try {
      response = await fetch(`${this.#url}/api/v2/${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      text = await response.text()
    } catch (error) {
      throw new ServiceGone('the service is gone', { cause: error })
    }
    // A service that is stopping or has just started answers 503.
    if (response.status === 503) throw new ServiceGone(text)
    if (!response.ok) throw new Error(`${method} ${path} is answered with ${response.status}: ${text}`)
    return JSON.parse(text) as Answer
  }

  create(count: number, tag: string): Promise<v2.Operation> {
    return this.call('POST', 'operations', {
      contentDigest: collectionDigest(count, tag),
      itemCount: count,
    })
  }

  read(id: string, query = '?limit=1'): Promise<v2.Operation> {
    return this.call('GET', `operations/${id}${query}`)
  }

  /** Does the next step that the operation needs, once. Returns the state afterwards. */
  async step(operation: v2.Operation, tag: string): Promise<v2.Operation> {
    const { id, state, uploaded = 0, itemCount = 0 } = operation
    if (state === 'staging' && uploaded < itemCount) {
      const count = Math.min(v2.limits.uploadItems, itemCount - uploaded)
      const items = Array.from({ length: count }, (_, index) => bulkItem(uploaded + index, tag))
      return await this.call('PUT', `operations/${id}/items`, { items })
    }
    if (state === 'staging') await this.call('POST', `operations/${id}/validate`)
    else if (state === 'validated') return await this.call('POST', `operations/${id}/activate`)
    return await this.read(id)
  }

  /** All pages of a list, or of the outcomes of an operation. */
  async *pages<Item>(path: string): AsyncGenerator<readonly Item[]> {
    for (let cursor = ''; ; ) {
      const page = await this.call<{ items?: Item[]; nextCursor?: string }>(
        'GET',
        `${path}?limit=500${cursor}`,
      )
      yield page.items ?? []
      if (page.nextCursor === undefined) return
      cursor = `&cursor=${encodeURIComponent(page.nextCursor)}`
    }
  }
}
