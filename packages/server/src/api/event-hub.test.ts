import { createServer, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { until } from '@pulseward/testing'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { EventSource, StreamEvent } from '../projection/live-events.ts'
import { EventHub } from './event-hub.ts'

const position = (committed_position: number): StreamEvent => ({
  name: 'position',
  data: { committed_position },
})

class News implements EventSource {
  watched: boolean[] = []
  next: StreamEvent[] = []

  watch(isWatched: boolean): void {
    this.watched.push(isWatched)
  }

  collect(): StreamEvent[] {
    return this.next.splice(0)
  }
}

/** A hub behind a real listener; look makes it look for news now. */
async function listening(news: News) {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const hub = new EventHub(news)
  const server = createServer((request, response) => {
    const lastId = request.headers['last-event-id']
    const { searchParams } = new URL(request.url!, 'http://localhost')
    hub.listen(
      request,
      response,
      Object.fromEntries(searchParams),
      typeof lastId === 'string' ? lastId : null,
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    hub[Symbol.dispose]()
    vi.useRealTimers()
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return {
    hub,
    look: () => vi.advanceTimersByTime(1_000),
    connect: (path = '', id?: string) => open(url + path, id),
  }
}

function open(url: string, lastId?: string): Promise<Reader> {
  return new Promise((resolve, reject) => {
    const headers = lastId === undefined ? {} : { 'last-event-id': lastId }
    get(url, { headers, agent: false }, (message) => resolve(new Reader(message))).on('error', reject)
  })
}

class Reader {
  readonly message: IncomingMessage
  #text = ''

  constructor(message: IncomingMessage) {
    this.message = message
    message.setEncoding('utf8').on('data', (text: string) => {
      this.#text += text
    })
  }

  has(words: string): boolean {
    return this.#text.includes(words)
  }

  /** Everything so far, once it has come as far as the words. */
  async until(words: string): Promise<string> {
    await until(() => this.has(words))
    return this.#text
  }
}

describe('the event stream', () => {
  it('sends what is new to everybody who listens, and looks only while somebody does', async () => {
    const news = new News()
    const { connect, look } = await listening(news)
    expect(news.watched).toEqual([])
    const readers = [await connect(), await connect()]
    news.next = [position(7)]
    look()
    for (const reader of readers) {
      expect(await reader.until('"committed_position":7')).toMatch(
        /^event: beat\ndata: {"every_ms":2000}\n\nid: \w+-1\nevent: position\n/,
      )
    }
    for (const { message } of readers) message.destroy()
    await until(() => news.watched.length === 2)
    expect(news.watched).toEqual([true, false])
  })

  it('beats at once and every two seconds, also when nothing is new, and a beat moves no client', async () => {
    const { connect, look } = await listening(new News())
    const reader = await connect()
    await reader.until('beat')
    for (let second = 0; second < 4; second++) look()
    const beat = 'event: beat\ndata: {"every_ms":2000}\n\n'
    expect(await reader.until(beat.repeat(3))).toBe(beat.repeat(3))
  })

  it('goes on after the event that a client has seen last', async () => {
    const news = new News()
    const { connect, look } = await listening(news)
    const first = await connect()
    news.next = [position(1), position(2), position(3)]
    look()
    const [, id] = /id: (\S+)\n/.exec(await first.until('"committed_position":3'))!
    const second = await connect('', id)
    const resumed = await second.until('"committed_position":3')
    expect(resumed).toContain('"committed_position":2')
    expect(resumed).not.toContain('"committed_position":1}')
  })

  it.each(['other-1', 'nonsense', '-', `${'9'.repeat(40)}`])(
    'tells a client to start over whose last event it does not know (%s)',
    async (id) => {
      const { connect } = await listening(new News())
      const reader = await connect('', id)
      expect(await reader.until('reset')).toContain('data: {"reason":"cannot_resume"}')
    },
  )

  it('holds a bound for a client that does not read, and tells it to start over', async () => {
    const news = new News()
    const { connect, look } = await listening(news)
    const reader = await connect()
    reader.message.pause()
    for (let second = 0; second < 200; second++) {
      news.next = Array.from({ length: 1_000 }, (_, number) => position(1e12 + number))
      look()
      await new Promise((resolve) => setImmediate(resolve))
    }
    reader.message.resume()
    // It is told with the first news after it has read what was kept for it.
    await until(() => {
      news.next = [position(5)]
      look()
      return reader.has('reset')
    })
    expect(await reader.until('reset')).toContain('data: {"reason":"slow_client"}')
  })
})
