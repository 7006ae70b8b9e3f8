import { describe, expect, it } from 'vitest'
import { createClient, type Fetch, type v2 } from '../index.ts'

/** A list of as many queues as asked for, in pages of two, with cursors that name the next row. */
function listing(count: number): { fetch: Fetch; asked: string[] } {
  const asked: string[] = []
  const fetch: Fetch = async (url) => {
    const { searchParams } = new URL(url)
    asked.push(searchParams.toString())
    const from = Number(searchParams.get('cursor') ?? 0)
    const items = Array.from({ length: Math.min(2, count - from) }, (_, index) => ({
      name: `row ${from + index}`,
    }))
    return Response.json({ items, ...(from + 2 < count && { nextCursor: String(from + 2) }) })
  }
  return { fetch, asked }
}

async function namesOf(rows: AsyncIterable<v2.Queue>): Promise<string[]> {
  return (await Array.fromAsync(rows)).map(({ name }) => name)
}

describe('walking a list', () => {
  it.each([0, 1, 2, 3, 5])('gives all of %i rows once, in order', async (count) => {
    const { fetch } = listing(count)
    const client = createClient({ baseUrl: 'https://a.test', fetch })
    expect(await namesOf(client.getQueues.all())).toEqual(
      Array.from({ length: count }, (_, row) => `row ${row}`),
    )
  })

  it('asks every page with the same filter, and only for pages that are needed', async () => {
    const { fetch, asked } = listing(6)
    const client = createClient({ baseUrl: 'https://a.test', fetch })
    for await (const { name } of client.getQueues.all({ selector: 'team=a', limit: 2 })) {
      if (name === ('row 2' as string)) break
    }
    expect(asked).toEqual(['limit=2&selector=team%3Da', 'cursor=2&limit=2&selector=team%3Da'])
  })

  it('ends with an error instead of walking in circles', async () => {
    const fetch: Fetch = async () => Response.json({ items: [{ name: 'again' }], nextCursor: 'same' })
    const client = createClient({ baseUrl: 'https://a.test', fetch })
    await expect(namesOf(client.getQueues.all())).rejects.toMatchObject({ reason: 'malformedAnswer' })
  })

  it.each([{}, null, { items: 'none' }])(
    'ends with an error at the page %j, never with a shorter list',
    async (page) => {
      const client = createClient({ baseUrl: 'https://a.test', fetch: async () => Response.json(page) })
      await expect(namesOf(client.getQueues.all())).rejects.toMatchObject({ category: 'transport' })
    },
  )

  it('ends with the error of a page on the way', async () => {
    let pages = 0
    const fetch: Fetch = async () =>
      pages++ === 0 ? Response.json({ items: [], nextCursor: 'next' }) : new Response(null, { status: 410 })
    const client = createClient({ baseUrl: 'https://a.test', fetch })
    await expect(namesOf(client.getQueues.all())).rejects.toMatchObject({ category: 'expiredOperation' })
  })
})
