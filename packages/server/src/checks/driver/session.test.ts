// A session reads what it is asked for, ends when it must, and closes what it opened.
import { once } from 'node:events'
import { LoopbackRun } from '@pulseward/testing/checks'
import {
  answers,
  certificates,
  HttpTarget,
  ProtocolTarget,
  renegotiates,
  type Serve,
} from '@pulseward/testing/targets'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CheckFailure, type Outcome } from '../driver.ts'
import { inSession, type Session } from './session.ts'

const opened = new AsyncDisposableStack()
afterAll(() => opened.disposeAsync())

async function meet(
  serve: Serve,
  talk: (session: Session, run: LoopbackRun) => Promise<void>,
  run = new LoopbackRun(),
): Promise<{ outcome: Outcome; run: LoopbackRun; peer: string }> {
  using owned = run
  const { port } = opened.use(await ProtocolTarget.start(serve))
  const target = { host: '127.0.0.1', port }
  const outcome = await inSession(owned, target, undefined, (session) => talk(session, owned))
  expect(owned.openSockets).toBe(0)
  return { outcome, run, peer: `127.0.0.1:${port}` }
}

const says =
  (...parts: string[]): Serve =>
  async (connection) => {
    for (const part of parts) {
      connection.write(part)
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
const staysSilent: Serve = async (connection) => void (await connection.read(1_000))

describe('reading', () => {
  it('gives lines and bytes in order, however they were sent', async () => {
    const heard: string[] = []
    const { outcome, run } = await meet(says('one\r', '\ntwo', '\r\nthr', 'ee'), async (session) => {
      heard.push(await session.readLine())
      heard.push(String(await session.peek(2)))
      heard.push(await session.readLine())
      heard.push(String(await session.read(5)))
    })
    expect(heard).toEqual(['one', 'tw', 'two', 'three'])
    expect(outcome).toMatchObject({ status: 'success', reason: null })
    expect(run.marks.slice(0, 2)).toEqual(['connect', 'first_byte'])
  })

  it('ends with the connection, after what came before', async () => {
    const { outcome, peer } = await meet(says('half'), async (session) => {
      session.awaits('answer')
      expect(String(await session.read(4))).toBe('half')
      await session.read(1)
    })
    expect(outcome).toMatchObject({
      status: 'failure',
      evidence: 'target',
      reason: `${peer} closed the connection before its answer`,
    })
  })

  it('refuses more than is ever asked for', async () => {
    const { outcome, peer } = await meet(staysSilent, async (session) => void (await session.read(2 ** 30)))
    expect(outcome.reason).toBe(`the answer of ${peer} is longer than 1 MiB`)
    const noise = (connection: Parameters<Serve>[0]) => connection.pour(Buffer.alloc(1_000, 'x'))
    const endless = await meet(noise, async (session) => void (await session.readLine()))
    expect(endless.outcome.reason).toBe(`${endless.peer} sent a line longer than 64 KiB`)
  })

  it('stops at the deadline, also when that passes between two steps', async () => {
    const waiting = await meet(
      staysSilent,
      async (session, run) => {
        setImmediate(() => run.pass())
        await session.read(1)
      },
      new LoopbackRun(1_000),
    )
    expect(waiting.outcome).toMatchObject({
      status: 'timeout',
      evidence: 'local',
      reason: `no answer from ${waiting.peer} within 1 s`,
    })
    const between = await meet(
      says('already here'),
      async (session, run) => {
        await session.read(1)
        run.pass()
        await session.read(100)
      },
      new LoopbackRun(1_000),
    )
    expect(between.outcome.status).toBe('timeout')
  })
})

describe('lending', () => {
  it('hands over what was looked at and not read', async () => {
    const { outcome } = await meet(says('greeting'), async (session) => {
      await session.peek(5)
      const heard = await session.lend(async (socket) => String((await once(socket, 'data'))[0]))
      expect(heard).toBe('greeting')
    })
    expect(outcome.status).toBe('success')
  })

  it('ends at the deadline, whatever the library waits for', async () => {
    const forever = () => new Promise<void>(() => {})
    const late = await meet(staysSilent, async (session, run) => {
      setImmediate(() => run.pass())
      await session.lend(forever)
    })
    expect(late.outcome.status).toBe('timeout')
    const tooLate = await meet(staysSilent, async (session, run) => {
      run.pass()
      await session.lend(forever)
    })
    expect(tooLate.outcome.status).toBe('timeout')
  })

  it('catches what a library throws where it listens', async () => {
    const { outcome, peer } = await meet(says('nonsense'), (session) =>
      session.lend(async (socket) => {
        socket.on('data', () => {
          throw new Error('a bug of the library')
        })
        await new Promise(() => {})
      }),
    )
    expect(outcome).toMatchObject({ status: 'failure', reason: `the answer of ${peer} makes no sense` })
  })

  it('bounds what a library is sent, and refuses by the first bytes', async () => {
    const deaf = (socket: { on(event: 'data', listener: () => void): unknown }) => {
      socket.on('data', () => {})
      return new Promise<void>(() => {})
    }
    const pours: Serve = (connection) => connection.pour(Buffer.alloc(64 * 1024))
    const endless = await meet(pours, (session) => session.lend(deaf))
    expect(endless.outcome.reason).toBe(`the answer of ${endless.peer} is longer than 1 MiB`)
    const other = await meet(says('HTTP/1.1'), (session) =>
      session.lend(deaf, (bytes) => (bytes[0] === 0x48 ? new CheckFailure('it is a web server') : null)),
    )
    expect(other.outcome.reason).toBe('it is a web server')
  })
})

describe('securing', () => {
  let secured: Serve
  beforeAll(() => {
    secured = async (connection) => {
      await connection.read(1)
      connection.startTls(certificates.good)
      connection.write('hello')
      await connection.read(1)
    }
  })

  it('goes on over TLS and keeps when the certificate ends', async () => {
    const { outcome, run } = await meet(secured, async (session) => {
      session.write('!')
      await session.secure({ ca: certificates.authority })
      expect(String(await session.read(5))).toBe('hello')
    })
    expect(outcome).toMatchObject({ status: 'success', certificateExpiresAt: expect.any(Number) })
    expect(run.marks).toEqual(['connect', 'tls', 'first_byte'])
  })

  it('does not blame the server for what breaks a secured connection on this machine', async () => {
    const { outcome, peer } = await meet(secured, async (session) => {
      session.write('!')
      const socket = await session.secure({ ca: certificates.authority })
      setImmediate(() =>
        socket.destroy(Object.assign(new Error('x'), { code: 'EHOSTUNREACH', syscall: 'read' })),
      )
      await session.read(1_000)
    })
    const reason = `no route to the host ${peer}`
    expect(outcome).toMatchObject({ status: 'failure', evidence: 'local', reason })
  })

  it('keeps it also of a certificate that is refused', async () => {
    const { outcome } = await meet(secured, async (session) => {
      session.write('!')
      await session.secure({})
    })
    expect(outcome).toMatchObject({ status: 'failure', certificateExpiresAt: expect.any(Number) })
  })

  it('refuses a server that went on talking before TLS', async () => {
    const { outcome, peer } = await meet(says('Sinjected'), async (session) => {
      await session.read(1)
      await session.secure({})
    })
    expect(outcome.reason).toBe(`${peer} went on talking in the clear before TLS began`)
  })

  it('stops at the deadline during the handshake', async () => {
    const { outcome } = await meet(staysSilent, async (session, run) => {
      setImmediate(() => run.pass())
      await session.secure({})
    })
    expect(outcome).toMatchObject({ status: 'timeout', reason: 'no TLS handshake within 5 s' })
  })
})

describe('TLS that begins again before the answer', () => {
  const tls = { identity: certificates.good, maxVersion: 'TLSv1.2', withoutTickets: true } as const

  it.each([
    ['goes on with a certificate that is good', certificates.good, { status: 'success', reason: null }],
    [
      'ends with one that is not',
      certificates.expired,
      { status: 'failure', reason: 'the certificate expired on 2026-01-02', evidence: 'target' },
    ],
  ])('%s', async (_title, identity, seen) => {
    await using target = await HttpTarget.start({ tls })
    target.behave(renegotiates(answers(), identity))
    using run = new LoopbackRun()
    const outcome = await inSession(
      run,
      { host: 'shop.test', port: target.port },
      undefined,
      async (session) => {
        await session.secure({ ca: certificates.authority })
        session.write('GET / HTTP/1.1\r\n\r\n')
        session.awaits('answer')
        await session.readLine()
      },
    )
    expect(outcome).toMatchObject(seen)
    expect(run.openSockets).toBe(0)
  })
})
