// How a very large collection is held against the service; what commands say of it is in commands/diff-served.test.ts.
import { NotFoundError } from '@pulseward/client'
import type { v2 } from '@pulseward/contract'
import { describe, expect, it } from 'vitest'
import { samples } from '../served.fixture.ts'
import type { Session } from '../session.ts'
import type { SizedItem } from './collection.ts'
import { besideCurrent } from './current-resources.ts'

const idOf = (index: number) => `m-${String(index).padStart(7, '0')}`

/** A service that has this many monitors, in the order of their ids, and counts what is read of it. */
function serviceOf(count: number) {
  const seen = { pages: 0, single: 0, atOnce: 0, mostAtOnce: 0 }
  const client = {
    async listMonitors({ cursor = '0', limit }: { cursor?: string; limit: number }) {
      seen.pages++
      const from = Number(cursor)
      const length = Math.min(limit, count - from)
      const items = Array.from({ length }, (_, index) => ({ metadata: { id: idOf(from + index) } }))
      const isLast = from + length === count
      return { data: { items, ...(isLast ? {} : { nextCursor: String(from + length) }) } }
    },
    async getMonitor({ id }: { id: string }) {
      seen.single++
      seen.mostAtOnce = Math.max(seen.mostAtOnce, ++seen.atOnce)
      await Promise.resolve()
      seen.atOnce--
      if (id < idOf(count)) return { data: samples.monitor(id) }
      throw new NotFoundError('is not there', { operation: 'getMonitor', code: 'notFound', statusCode: 404 })
    },
  }
  const { signal } = new AbortController()
  return { seen, session: { client, signal } as unknown as Session }
}

/** The ids of a file, from the last to the first; every `step`th that the service may have. */
function idsOf(count: number, step: number): readonly string[] {
  return Array.from({ length: count }, (_, place) => idOf((count - 1 - place) * step))
}

async function* itemsOf(ids: readonly string[]): AsyncGenerator<SizedItem> {
  for (const id of ids) {
    const resource = samples.monitor(id) as v2.Resource
    yield { item: { id: `Monitor/${id}`, contentDigest: '', source: '', resource }, text: '', byteCount: 0 }
  }
}

/** Compares with a service that has so many monitors, and answers with what was read of it. */
async function compare(ids: readonly string[], monitors: number) {
  const { seen, session } = serviceOf(monitors)
  const compared = await Array.fromAsync(besideCurrent(session, itemsOf(ids)))
  expect(compared.map(({ item }) => item.resource.metadata.id)).toEqual(ids)
  expect(compared.map(({ current }) => current?.metadata.id ?? null)).toEqual(
    ids.map((id) => (id < idOf(monitors) ? id : null)),
  )
  return seen
}

describe('a collection beside what the service has', () => {
  it('is compared in parts that memory can hold', async () => {
    expect(await compare(idsOf(20_020, 1), 20_010)).toMatchObject({ pages: 41 + 21, single: 20 })
  })

  it('looks through a list that is too long only once, then reads single ones, a few at a time', async () => {
    const seen = await compare(idsOf(10_030, 90), 1_000_000)
    const inPages = Math.floor(200_000 / 90) + 1 - 30
    expect(seen).toMatchObject({ pages: 400, single: 10_030 - inPages, mostAtOnce: 16 })
  })
})
