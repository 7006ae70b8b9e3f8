// Signals while something is wrong around them: nothing can be stored, or another job sends bodies without an end. Over
// real connections to a listener that has only their paths.
import { once } from 'node:events'
import { connect } from 'node:net'
import { keyOf, push, TestService } from '@pulseward/testing/engine'
import { describe, expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../../platform/clock.ts'
import { silentLog } from '../../telemetry/log.ts'
import { SignalCounts } from '../../telemetry/signal-counts.ts'
import { startPushListener } from './push-listener.ts'
import { PushPaths } from './serve-push.ts'

type Job = 'backup' | 'report'

async function listening() {
  const monitors = [push('backup', { every: '1h' }), push('report', { every: '1h' })]
  const service = await TestService.start({ monitors })
  const counts = new SignalCounts()
  const paths = new PushPaths({
    desk: service.desk,
    ...{ clock: systemClock, log: silentLog, counts },
    ...{ methods: ['POST', 'GET', 'HEAD'], proxies: [] },
  })
  const listen = { host: '127.0.0.1', port: 0 }
  const server = await startPushListener({ listen, identity: null, paths })
  onTestFinished(() => server[Symbol.asyncDispose]())
  const ask = async (job: Job) => {
    const response = await fetch(`${server.url}/push/${keyOf(job)}`, { method: 'POST' })
    const retryAfter = response.headers.get('retry-after')
    return { status: response.status, text: await response.text(), retryAfter }
  }
  const open = async (head: string) => {
    const socket = connect(server.address.port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    await once(socket, 'connect')
    socket.write(head)
  }
  const counted = (outcome: string) =>
    counts.signals(['success']).find((one) => one.kind === 'success' && one.outcome === outcome)?.count
  return { service, ask, open, counted }
}

describe('while nothing can be stored', () => {
  it('a signal is refused, says when to come again, and is taken then', async () => {
    const { service, ask, counted } = await listening()
    service.engine.pause()
    expect(await ask('backup')).toEqual({
      status: 503,
      text: 'The signal cannot be stored at the moment; send it again.\n',
      retryAfter: '5',
    })
    expect(service.statusOf('backup')).toBe('unknown')
    expect(counted('not_stored')).toBe(1)
    service.engine.resume()
    expect(await ask('backup')).toEqual({ status: 200, text: 'ok\n', retryAfter: null })
    expect(service.statusOf('backup')).toBe('up')
  })

  it('a signal that is being stored when writing starts to fail is not acknowledged', async () => {
    const { service, ask } = await listening()
    service.holdCommits()
    const answer = ask('backup')
    await expect.poll(() => service.statusOf('backup')).toBe('up')
    service.engine.pause()
    expect(await answer).toMatchObject({ status: 503, retryAfter: '5' })
    await service.releaseCommits()
  })
})

it('bodies without an end keep no other job from being heard', async () => {
  const { service, ask, open, counted } = await listening()
  const head = `POST /push/${keyOf('backup')} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n`
  for (let count = 0; count < 10; count++) await open(head)
  expect(await ask('report')).toMatchObject({ status: 200 })
  expect(service.statusOf('report')).toBe('up')
  // None of them has been given up before.
  expect(counted('stored')).toBe(1)
})
