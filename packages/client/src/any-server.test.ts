// Several addresses of one service: the active process is used, and nothing is sent twice.
import { describe, expect, it } from 'vitest'
import { createClient, type Fetch } from './index.ts'

const standby = () =>
  new globalThis.Response(JSON.stringify({ code: 'standby', status: 503 }), {
    status: 503,
    headers: { 'content-type': 'application/problem+json', 'retry-after': '2' },
  })
const answered = () =>
  new globalThis.Response(JSON.stringify({ available: true }), {
    headers: { 'content-type': 'application/json' },
  })
const refused = () =>
  Promise.reject(Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } }))
const lost = () =>
  Promise.reject(Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNRESET' } }))

type Behaviour = () => globalThis.Response | Promise<globalThis.Response>

function clientOf(behaviours: Readonly<Record<string, Behaviour>>) {
  const asked: string[] = []
  const fetch: Fetch = async (url) => {
    const { host } = new URL(url)
    asked.push(host)
    return behaviours[host]!()
  }
  const baseUrl = Object.keys(behaviours).map((host) => `http://${host}`)
  return { asked, client: createClient({ baseUrl, fetch }) }
}

describe('a client with several addresses', () => {
  it('goes on to the next if a process stands by or cannot be reached, and stays there', async () => {
    const { asked, client } = clientOf({ one: standby, two: refused, three: answered })
    await client.getLive()
    await client.getLive()
    expect(asked).toEqual(['one', 'two', 'three', 'three'])
  })

  it('sends a write that was refused by a process that stands by to the next', async () => {
    const { asked, client } = clientOf({
      one: standby,
      two: () => new globalThis.Response(null, { status: 204 }),
    })
    await client.deleteMonitor({ id: 'edge', ifMatch: '42' }).catch(() => undefined)
    expect(asked).toEqual(['one', 'two'])
  })

  it('never sends a write again whose answer was lost', async () => {
    const { asked, client } = clientOf({ one: lost, two: answered })
    await expect(client.deleteMonitor({ id: 'edge', ifMatch: '42' })).rejects.toMatchObject({
      category: 'ambiguousMutation',
    })
    expect(asked).toEqual(['one'])
  })

  it('takes a refusal of all of them for one, also of a write', async () => {
    const { asked, client } = clientOf({ one: standby, two: standby })
    await expect(client.deleteMonitor({ id: 'edge', ifMatch: '42' })).rejects.toMatchObject({
      category: 'unavailable',
      code: 'standby',
    })
    expect(asked).toEqual(['one', 'two'])
  })

  it('asks each for its readiness, which is no problem document', async () => {
    const notReady = () =>
      new globalThis.Response(JSON.stringify({ status: 'not_ready', reasons: ['standby'] }), {
        status: 503,
        headers: { 'content-type': 'application/json' },
      })
    const { asked, client } = clientOf({ one: notReady, two: answered })
    await client.v1.getReady()
    expect(asked).toEqual(['one', 'two'])
  })
})
