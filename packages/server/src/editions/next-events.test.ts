// The event stream of the edition next: an open dashboard hears of monitors that are created, changed and deleted.
import { v2 } from '@pulseward/contract'
import { eventually } from '@pulseward/testing'
import { type ServedNext, serveEdition, serveNext } from '@pulseward/testing/editions'
import { http, TestService } from '@pulseward/testing/engine'
import { expect, it } from 'vitest'

interface Heard {
  readonly name: string
  readonly data: Record<string, unknown>
}

/** Everything that a listener hears until it leaves. */
async function listen(url: string, filter = '') {
  const left = new AbortController()
  const response = await fetch(`${url}/api/v1/events${filter}`, { signal: left.signal })
  const heard: Heard[] = []
  const reading = (async () => {
    let text = ''
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk
      const parts = text.split('\n\n')
      text = parts.pop() ?? ''
      for (const part of parts) {
        const [, name] = /^event: (.*)$/m.exec(part) ?? []
        const [, data] = /^data: (.*)$/m.exec(part) ?? []
        if (name !== undefined && data !== undefined) heard.push({ name, data: JSON.parse(data) })
      }
    }
  })().catch(() => {})
  return {
    heard,
    async [Symbol.asyncDispose]() {
      left.abort()
      await reading
    },
  }
}

function documentOf(id: string, name: string) {
  const driver = { type: 'http', config: { url: 'http://shop.test/' } }
  const spec = { check: { driver, interval: '1h', timeout: '5s' } }
  return { apiVersion: v2.apiVersion, kind: 'Monitor', metadata: { id, name }, spec }
}

async function write(next: ServedNext, ...call: Parameters<ServedNext['call']>): Promise<string> {
  const response = await next.call(...call)
  expect(response.ok).toBe(true)
  return response.headers.get('etag') ?? ''
}

it('tells of monitors that are created, changed and deleted, whatever a listener filters by', async () => {
  await using next = await serveNext(await TestService.start({ monitors: [http('a', { every: '1h' })] }))
  await using everything = await listen(next.url)
  await using inTrouble = await listen(next.url, '?status=incident')
  const told = async (expected: object, count: number) =>
    eventually(() => {
      for (const { heard } of [everything, inTrouble]) {
        const notices = heard.filter(({ name }) => name === 'fleet')
        expect(notices).toHaveLength(count)
        expect(notices.at(-1)?.data).toEqual(expected)
      }
    })
  const rows = () => everything.heard.flatMap(({ name, data }) => (name === 'monitor' ? [data['name']] : []))

  const body = documentOf('shop', 'The shop')
  const created = await write(next, 'CreateMonitor', { body, headers: { 'if-none-match': '*' } })
  await told({ changed: 1, deleted: 0 }, 1)
  expect(rows()).toEqual(['The shop'])

  const rename = { metadata: { name: 'The new shop' } }
  const changed = await write(next, 'PatchMonitor', {
    id: 'shop',
    body: rename,
    headers: { 'if-match': created },
  })
  await told({ changed: 1, deleted: 0 }, 2)
  expect(rows()).toEqual(['The shop', 'The new shop'])

  await write(next, 'DeleteMonitor', { id: 'shop', headers: { 'if-match': changed } })
  await told({ changed: 0, deleted: 1 }, 3)
  expect(rows()).toEqual(['The shop', 'The new shop'])
  expect(inTrouble.heard.filter(({ name }) => name === 'monitor')).toEqual([])
})

it('tells of many writes in one notice per second', async () => {
  await using next = await serveNext(await TestService.start({ monitors: [http('a', { every: '1h' })] }))
  await using everything = await listen(next.url)
  const beganMs = performance.now()
  const create = (id: string) =>
    write(next, 'CreateMonitor', { body: documentOf(id, 'M'), headers: { 'if-none-match': '*' } })
  // No more at once than a service takes, however long its store needs.
  for (let group = 0; group < 10; group++)
    await Promise.all(Array.from({ length: 30 }, (_, number) => create(`m-${group}-${number}`)))
  const notices = () => everything.heard.filter(({ name }) => name === 'fleet')
  await eventually(() =>
    expect(notices().reduce((sum, { data }) => sum + Number(data['changed']), 0)).toBe(300),
  )
  expect(notices().length).toBeLessThanOrEqual((performance.now() - beganMs) / 1_000 + 1)
})

it('tells nothing of the kind in candidate', async () => {
  const service = await TestService.start({ monitors: [http('a', { every: '1h' })] })
  await using served = await serveEdition('candidate', service)
  await using listener = await listen(served.url)
  served.fleetChanged()
  await eventually(() => expect(listener.heard.map(({ name }) => name)).toContain('overview'))
  expect(listener.heard.map(({ name }) => name)).not.toContain('fleet')
})
