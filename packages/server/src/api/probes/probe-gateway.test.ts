// The door for probes, over real sockets: who may open it, and what ends a connection.
import { once } from 'node:events'
import { type ServedNext, serveNext } from '@pulseward/testing/editions'
import { TestService } from '@pulseward/testing/engine'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type RawData, WebSocket } from 'ws'
import { createPrincipal, revokePrincipal } from '../../access/edit-principals.ts'
import { type Answer, FakeProbe, helloOf, resultsOf } from '../../locations/fake-probe.fixture.ts'
import { frameKinds } from '../../locations/frame.ts'
import type { Hello } from '../../locations/messages.ts'
import { probePath } from '../../locations/probe-path.ts'
import { dataDirectory } from '../../store/data-directory.ts'

const up: Answer = { status: 'success' }
const check = {
  type: 'tcp',
  interval: '10s',
  timeout: '5s',
  locations: ['fra'],
  config: { host: '192.0.2.1', port: 1 },
}

let service: TestService
let next: ServedNext
beforeEach(async () => {
  service = await TestService.start({ monitors: [{ id: 'edge', name: 'edge', check }] })
  next = await serveNext(service)
})
afterEach(() => next[Symbol.asyncDispose]())

/** A probe on a real WebSocket. */
class SocketProbe extends FakeProbe implements Disposable {
  readonly socket: WebSocket
  readonly closed: Promise<unknown>
  readonly #heard = new Set<() => void>()

  constructor(token: string, options: ConstructorParameters<typeof WebSocket>[2] = {}) {
    super()
    const url = `${next.url.replace('http', 'ws')}${probePath}`
    this.socket = new WebSocket(url, { headers: { authorization: `Bearer ${token}` }, ...options })
    this.closed = new Promise((resolve) => this.socket.on('close', resolve))
    this.socket.on('message', (data: RawData) => {
      this.hear(data as Buffer)
      for (const look of this.#heard) look()
    })
    this.socket.on('error', () => {})
  }

  async says(hello: Partial<Hello> = {}): Promise<this> {
    await once(this.socket, 'open')
    this.socket.send(this.hello(helloOf(hello)))
    return this
  }

  /** Resolves when what it has heard fulfills the condition. */
  until(isTrue: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (isTrue()) resolve()
      }
      this.#heard.add(look)
      look()
    })
  }

  [Symbol.dispose](): void {
    this.socket.terminate()
  }
}

const sessions = () => service.remote.locations.flatMap((location) => location.sessions)
const refusals = (why: Parameters<typeof service.remote.counts.refusals>[0]) =>
  service.remote.counts.refusals(why)

async function connected(options?: ConstructorParameters<typeof WebSocket>[2]): Promise<SocketProbe> {
  const probe = await new SocketProbe(next.tokens.probe ?? '', options).says()
  await expect.poll(sessions).toHaveLength(1)
  return probe
}

/** The connected probe was asked to check. */
async function asked(): Promise<SocketProbe> {
  const probe = await connected()
  while (sessions()[0]?.tickets.count === 0) await service.advance({ seconds: 1 })
  await probe.until(() => probe.asked.length > 0)
  return probe
}

describe('the door for probes', () => {
  it('lets a probe in, which checks the monitors of its location', async () => {
    using probe = await asked()
    probe.socket.send(probe.answers(up))
    await expect.poll(() => service.statusOf('edge')).toBe('up')
  })

  it.each([
    ['reader', 403, 'the-reader has the role reader, which is no probe.'],
    ['operator', 403, 'the-operator has the role operator, which is no probe.'],
    ['worker', 403, 'the-worker has the role worker, which is no probe.'],
  ] as const)('turns a %s away', async (role, status, sentence) => {
    using probe = new SocketProbe(next.tokens[role])
    const [, response] = await once(probe.socket, 'unexpected-response')
    let text = ''
    for await (const chunk of response) text += chunk
    expect([response.statusCode, JSON.parse(text).detail]).toEqual([status, sentence])
    expect(refusals('token')).toBe(1)
  })

  it.each([
    ['without a token', ''],
    ['with an unknown token', 'pw_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'],
  ])('turns away whoever comes %s', async (_, token) => {
    using probe = new SocketProbe(token)
    const [, response] = await once(probe.socket, 'unexpected-response')
    expect(response.statusCode).toBe(401)
    response.destroy()
  })

  it('is nowhere else, and answers an ordinary request as any unknown path', async () => {
    const elsewhere = new WebSocket(`${next.url.replace('http', 'ws')}/api/v1/overview`)
    const [, response] = await once(elsewhere, 'unexpected-response')
    expect(response.statusCode).toBe(200)
    response.destroy()
    elsewhere.on('error', () => {}).terminate()
    const answer = await fetch(next.url + probePath, {
      headers: { authorization: `Bearer ${next.tokens.reader}` },
    })
    expect(answer.status).toBe(404)
  })

  it.each([
    [
      'at another location',
      { location: 'iad' },
      'location',
      'The principal the-probe may serve fra, and not iad',
    ],
    [
      'of another version',
      { version: '0.3.0' },
      'version',
      'and the probe 0.3.0; they may be one minor version apart',
    ],
    ['with a name that is none', { name: 'a b' }, 'protocol', 'The name of the probe is not an id.'],
  ] as const)('refuses a probe %s with a sentence', async (_, hello, why, sentence) => {
    using probe = await new SocketProbe(next.tokens.probe ?? '').says(hello)
    await probe.closed
    expect(probe.refusedWith).toContain(sentence)
    expect([refusals(why), sessions()]).toEqual([1, []])
  })

  it('takes a probe that is one minor version newer', async () => {
    using probe = await new SocketProbe(next.tokens.probe ?? '').says({ version: '0.2.7' })
    await expect.poll(sessions).toHaveLength(1)
    expect(probe.refusedWith).toBeNull()
  })

  it('ends the session of a principal that is revoked, and does not let it in again', async () => {
    using probe = await connected()
    revokePrincipal(dataDirectory(next.data), 'the-probe')
    await probe.closed
    expect(probe.refusedWith).toBe('The token of the probe is no longer valid, or has other rights now.')
    using again = new SocketProbe(next.tokens.probe ?? '')
    const [, response] = await once(again.socket, 'unexpected-response')
    expect(response.statusCode).toBe(401)
    response.destroy()
  })

  it('lets in one that was made while the service runs', async () => {
    const wanted = {
      name: 'new',
      role: 'probe',
      expiresMs: null,
      jobTypes: [],
      locations: ['fra', 'iad'],
    } as const
    const { token } = createPrincipal(dataDirectory(next.data), wanted)
    using _probe = await new SocketProbe(token).says({ location: 'iad' })
    await expect.poll(sessions).toHaveLength(1)
  })
})

describe('a probe that breaks the protocol', () => {
  it.each<[string, (probe: SocketProbe) => Uint8Array[], string]>([
    [
      'with a result that nobody asked for',
      (probe) => [probe.results(resultsOf([{ ticket: 4_000, number: 0 }], up))],
      'The probe reported on a check that it was not asked for.',
    ],
    [
      'with a frame that was recorded and sent again',
      (probe) => {
        const frame = probe.answers(up)
        return [frame, frame]
      },
      'A frame was repeated, or one is missing.',
    ],
    [
      'with a frame of another session',
      () => {
        const other = new FakeProbe()
        other.hello(helloOf())
        return [other.answers(up)]
      },
      'A frame belongs to another session.',
    ],
    [
      'with a batch that says it has 100,000 results',
      (probe) => {
        const body = new Uint8Array(1_300_004)
        new DataView(body.buffer).setUint32(0, 100_000, true)
        return [probe.frame(frameKinds.results, body)]
      },
      'A batch of results has not the length that it says.',
    ],
    [
      'with a message that only a service sends',
      (probe) => [probe.frame(frameKinds.run, new Uint8Array(8))],
      'The probe sent a frame that only a service sends.',
    ],
    ['with bytes that are no frame', () => [new Uint8Array(3)], 'A frame is too short.'],
  ])('%s is refused, and its check ends without data', async (_, frames, sentence) => {
    using probe = await asked()
    for (const frame of frames(probe)) probe.socket.send(frame)
    await probe.closed
    expect(probe.refusedWith).toBe(sentence)
    expect(refusals('protocol')).toBe(1)
    await expect.poll(sessions).toEqual([])
    expect(
      service.remote.counts
        .checks([])
        .filter(({ outcome, count }) => count > 0 && /fail|timeout/.test(outcome)),
    ).toEqual([])
  })

  it('with a frame beyond the bound is cut off', async () => {
    using probe = await connected()
    probe.socket.send(new Uint8Array(5 << 20))
    await probe.closed
    await expect.poll(sessions).toEqual([])
    expect(refusals('protocol')).toBe(1)
  })
})
