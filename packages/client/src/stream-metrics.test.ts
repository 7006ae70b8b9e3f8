import { PassThrough, Writable } from 'node:stream'
import { metricsText, misbehaviours, ReferencePeer } from '@pulseward/testing/reference-peer'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Client, createClient, type Fetch } from './index.ts'

let peer: ReferencePeer
let client: Client

beforeAll(async () => {
  peer = await ReferencePeer.start()
  client = createClient({ baseUrl: peer.url, maxResponseBytes: 1_000_000 })
})
afterEach(() => peer.misbehave(null))
afterAll(() => peer[Symbol.asyncDispose]())

/** Keeps what is written and says what else happened to it. */
function collector() {
  const seen = { text: '', isClosed: false, isAborted: false }
  const decoder = new TextDecoder()
  const stream = new WritableStream<Uint8Array>({
    write(chunk) {
      seen.text += decoder.decode(chunk, { stream: true })
    },
    close() {
      seen.isClosed = true
    },
    abort() {
      seen.isAborted = true
    },
  })
  return { stream, seen }
}

/** A body of endless chunks that says how many were taken and whether it was closed. */
function endless() {
  const seen = { chunks: 0, isCancelled: false }
  const body = () =>
    new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          seen.chunks++
          controller.enqueue(new Uint8Array(1000).fill(10))
        },
        cancel() {
          seen.isCancelled = true
        },
      },
      { highWaterMark: 0 },
    )
  const fetch: Fetch = async () => new Response(body(), { headers: { 'Content-Type': 'text/plain' } })
  return { seen, fetch }
}

describe('streaming metrics', () => {
  it('copies the text into a web stream and leaves it open', async () => {
    const { stream, seen } = collector()
    const { data, requestId } = await client.streamMetrics(stream)
    expect(seen).toEqual({ text: metricsText, isClosed: false, isAborted: false })
    expect(data.byteCount).toBe(metricsText.length)
    expect(requestId).toBe('req-of-the-peer')
    expect(stream.locked).toBe(false)
    expect(peer.lastRequest).toMatchObject({ method: 'GET', path: '/metrics' })
  })

  it('copies the text into a Writable of Node and leaves it open', async () => {
    const writable = new PassThrough()
    await client.streamMetrics(writable)
    expect(writable.writableEnded).toBe(false)
    expect(writable.read().toString()).toBe(metricsText)
  })

  it('stops at the ceiling, with a part written and the writer open', async () => {
    const { stream, seen } = collector()
    peer.misbehave(misbehaviours.pads(5_000_000))
    await expect(client.streamMetrics(stream)).rejects.toMatchObject({ category: 'oversizedResponse' })
    expect(seen.text.length).toBeLessThanOrEqual(1_000_000)
    expect(seen.isClosed || seen.isAborted || stream.locked).toBe(false)
  })

  it('stops when the caller does, also while the writer takes nothing, and closes the body', async () => {
    const { seen, fetch } = endless()
    const controller = new AbortController()
    const stuck = new WritableStream<Uint8Array>({ write: () => new Promise(() => controller.abort()) })
    const call = createClient({ baseUrl: peer.url, fetch }).streamMetrics(stuck, {
      signal: controller.signal,
    })
    await expect(call).rejects.toMatchObject({ category: 'cancelled' })
    expect(seen.isCancelled).toBe(true)
    expect(stuck.locked).toBe(false)
  })

  it('takes no chunk before the writer has taken the one before', async () => {
    const { seen, fetch } = endless()
    let written = 0
    const slow = new Writable({
      write(_chunk, _encoding, done) {
        written++
        expect(seen.chunks).toBe(written)
        setImmediate(done)
      },
    })
    const small = createClient({ baseUrl: peer.url, fetch, maxResponseBytes: 20_000 })
    await expect(small.streamMetrics(slow)).rejects.toMatchObject({ category: 'oversizedResponse' })
    expect(written).toBe(20)
  })

  it('does not count the time of the writer, only that of the service', async () => {
    const { fetch } = endless()
    let written = 0
    const slow = new Writable({
      write(_chunk, _encoding, done) {
        written++
        setTimeout(done, written === 1 ? 150 : 0)
      },
    })
    const small = createClient({ baseUrl: peer.url, fetch, maxResponseBytes: 5_000, timeoutMs: 100 })
    await expect(small.streamMetrics(slow)).rejects.toMatchObject({ category: 'oversizedResponse' })
    peer.misbehave(misbehaviours.stalls)
    const stalled = client.streamMetrics(new PassThrough(), { timeoutMs: 100 })
    await expect(stalled).rejects.toMatchObject({ category: 'transport', reason: 'timeout' })
  })

  it('gives back what the writer throws, and closes the body', async () => {
    const { seen, fetch } = endless()
    const full = new Error('the disk is full')
    const broken = new WritableStream<Uint8Array>({ write: () => Promise.reject(full) })
    await expect(createClient({ baseUrl: peer.url, fetch }).streamMetrics(broken)).rejects.toBe(full)
    expect(seen.isCancelled).toBe(true)
  })

  it('says so when the metrics break off', async () => {
    peer.misbehave(misbehaviours.cutsOff)
    await expect(client.streamMetrics(new PassThrough())).rejects.toMatchObject({ reason: 'answerCut' })
  })
})
