// diff and dry runs of many documents against the served edition: what they say, and how much they ask the service for it.
import { type TemporaryFolder, temporaryFolder } from '@pulseward/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { ServedNext, samples } from '../client/served.fixture.ts'

let served: ServedNext
let folder: TemporaryFolder
beforeAll(async () => {
  served = await ServedNext.start()
  folder = temporaryFolder({})
  await served.apply(
    ...Array.from({ length: 1_200 }, (_, index) => samples.monitor(`fleet-${index}`)),
    samples.credential('hook'),
    samples.endpoint('chat', 'hook'),
  )
})
afterEach(() => vi.restoreAllMocks())
afterAll(async () => {
  await served[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

const changed = (index: number) => samples.monitor(`fleet-${index}`, { tags: ['new'] })
const fileOf = (resources: readonly object[]) =>
  folder.write('these.ndjson', resources.map((one) => `${JSON.stringify(one)}\n`).join(''))

/** Runs a command and says what it read of the service. */
async function readsOf(words: readonly string[]) {
  const fetched = vi.spyOn(globalThis, 'fetch')
  const end = await served.run(words)
  const urls = fetched.mock.calls
    .filter(([, init]) => init?.method === 'GET')
    .map(([url]) => new URL(String(url)))
  const lists = urls.filter(({ searchParams }) => searchParams.has('limit'))
  return { ...end, listed: lists.length, single: urls.length - lists.length }
}

describe('diff of many documents', () => {
  it('reads pages instead of one resource after the other, and says the same in the order of the files', async () => {
    const all = Array.from({ length: 1_200 }, (_, index) => changed(1_199 - index))
    const file = fileOf([...all, samples.monitor('absent'), samples.endpoint('chat', 'hook')])
    const { code, stdout, stderr, listed, single } = await readsOf(['diff', '-f', file])
    expect([code, stderr]).toEqual([1, ''])
    const titles = stdout.split('\n').filter((line) => line.startsWith('Monitor/'))
    expect(titles).toEqual([
      ...all.map(({ metadata }) => `Monitor/${metadata.id}: updated`),
      'Monitor/absent: created',
    ])
    expect(stdout.match(/^ {2}\+ spec\.tags: new$/gm)).toHaveLength(1_200)
    expect(stdout).not.toContain('NotificationEndpoint/')
    expect([listed, single]).toEqual([3, 1])
  })

  it('reads single ones where the service has far more than the files', async () => {
    const few = fileOf([changed(3), changed(1_100)])
    expect(await readsOf(['diff', '-f', few])).toMatchObject({ code: 1, listed: 0, single: 2 })
    const more = fileOf(Array.from({ length: 30 }, (_, index) => changed(index * 40)))
    const { code, stdout, listed, single } = await readsOf(['diff', '-f', more])
    expect([code, stdout.match(/: updated$/gm)?.length, listed]).toEqual([1, 30, 1])
    expect(single).toBeLessThan(30)
  })

  it('waits for a service that has too much to do, and reads again', async () => {
    const real = globalThis.fetch
    let refusals = 0
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (url, init) => {
      if (init?.method !== 'GET' || refusals++ >= 2) return await real(url, init)
      const headers = {
        'Content-Type': 'application/problem+json',
        'Retry-After': '0',
        'X-Request-ID': 'r',
      }
      return Response.json({ code: 'unavailable' }, { status: 503, headers })
    })
    expect(await served.run(['diff', '-f', fileOf([changed(7)])])).toMatchObject({ code: 1, stderr: '' })
    expect(refusals).toBe(3)
  })
})

describe('apply --dry-run of many documents', () => {
  it('reads pages too', async () => {
    const file = fileOf([
      ...Array.from({ length: 600 }, (_, index) => changed(index)),
      samples.monitor('fleet-900'),
      samples.monitor('absent'),
    ])
    const { code, stdout, listed, single } = await readsOf(['apply', '--dry-run', '-f', file, '-o', 'json'])
    const { items } = JSON.parse(stdout) as { items: { id: string; outcome: string }[] }
    expect([code, items.filter(({ outcome }) => outcome === 'updated').length]).toEqual([0, 600])
    expect(items.slice(600).map(({ id, outcome }) => `${id} ${outcome}`)).toEqual([
      'Monitor/fleet-900 unchanged',
      'Monitor/absent created',
    ])
    expect([listed, single]).toEqual([3, 0])
  })
})
