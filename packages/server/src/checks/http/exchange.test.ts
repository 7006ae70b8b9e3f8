// Peers that behave badly: each has its sentence, its evidence and its end, and leaves nothing open on our side.
import { LoopbackRun, promptlyMs, runCheck } from '@pulseward/testing/checks'
import {
  type Behaviour,
  closesEarly,
  drips,
  HttpTarget,
  hangs,
  hangsAfterHead,
  resets,
  sends,
  sendsEndlessBody,
  sendsEndlessHeaders,
} from '@pulseward/testing/targets'
import { describe, expect, test } from 'vitest'
import { ConnectError } from '../../platform/network/network.ts'
import type { HttpConfig } from './config.ts'
import { http } from './http.ts'

const readsBody = { expect: { body: { contains: 'needle' } } }

describe('a peer that', () => {
  const failures: readonly [string, Behaviour, Partial<HttpConfig>, string | RegExp][] = [
    ['closes without an answer', closesEarly(), {}, 'the connection was closed before a response'],
    ['resets without an answer', resets(), {}, 'the server reset the connection before a response'],
    [
      'resets in the middle of the head',
      sends(['HTTP/1.1 200 OK\r\nX-'], 'reset'),
      {},
      /reset the connection (before a response|in the middle of the response)/,
    ],
    [
      'closes in the middle of the head',
      sends(['HTTP/1.1 200 OK\r\nX-']),
      {},
      'the connection was closed in the middle of the response head',
    ],
    [
      'closes in the middle of the body',
      sends(['HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc']),
      readsBody,
      'the connection was closed before the whole body had arrived',
    ],
    [
      'closes after an interim response',
      sends(['HTTP/1.1 100 Continue\r\n\r\n']),
      {},
      'the connection was closed before a response',
    ],
    ['sends headers without end', sendsEndlessHeaders(), {}, 'the response head is larger than 64 KiB'],
    [
      'sends a body without end',
      sendsEndlessBody(),
      readsBody,
      'the body does not contain "needle" in its first 1 MiB (max_body_bytes)',
    ],
    [
      'sends garbage',
      sends(['\0\x01\x02garbage']),
      {},
      'the server answered with something that is not HTTP: "garbage"',
    ],
    [
      'sends garbage and no line end',
      sends(['SSH-2.0'], 'hold'),
      {},
      'the server answered with something that is not HTTP: "SSH-2.0"',
    ],
    [
      'greets before it is asked',
      sends(['220 mail.test ESMTP\r\n'], 'hold', 'accept'),
      {},
      'the server answered with something that is not HTTP: "220 mail.test ESMTP"',
    ],
    [
      'sends a malformed status line',
      sends(['HTTP/1.1 20 OK\r\n\r\n']),
      {},
      'the status line is malformed: "HTTP/1.1 20 OK"',
    ],
    [
      'sends a malformed header',
      sends(['HTTP/1.1 200 OK\r\nno colon\r\n\r\n']),
      {},
      'a header line is malformed: "no colon"',
    ],
    [
      'sends a control character',
      sends(['HTTP/1.1 200 OK\r\nX-A: a\0b\r\n\r\n']),
      {},
      'the value of the header "X-A" holds a control character',
    ],
    [
      'ends lines with LF',
      sends(['HTTP/1.1 200 OK\n\n']),
      {},
      'a line of the response head does not end with CR LF',
    ],
    [
      'sends two lengths',
      sends(['HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n']),
      {},
      'the response has more than one Content-Length',
    ],
    [
      'sends a length that is none',
      sends(['HTTP/1.1 200 OK\r\nContent-Length: two\r\n\r\n']),
      {},
      'the Content-Length is not a number: "two"',
    ],
    [
      'frames the body twice',
      sends(['HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n']),
      {},
      'the response has both a Content-Length and a Transfer-Encoding',
    ],
    [
      'sends an empty transfer coding',
      sends(['HTTP/1.1 200 OK\r\nTransfer-Encoding:\r\n\r\n']),
      {},
      'the Transfer-Encoding is empty',
    ],
    [
      'sends a chunk size that is none',
      sends(['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n']),
      readsBody,
      'a chunk of the body has an invalid size',
    ],
    [
      'sends too long a chunk',
      sends(['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc']),
      readsBody,
      'a chunk of the body is longer than its size says',
    ],
    [
      'sends a chunk extension without end',
      sends([`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;${'a'.repeat(20_000)}`], 'hold'),
      readsBody,
      'a chunk of the body has an invalid size',
    ],
  ]
  for (const [title, behaviour, config, reason] of failures) {
    test(`${title} is told so`, async () => {
      await using target = await HttpTarget.start()
      target.behave(behaviour)
      const outcome = await runCheck(http, { url: target.url(), ...config })
      expect(outcome).toMatchObject({ status: 'failure', evidence: 'target', warning: null })
      expect(outcome.reason).toMatch(
        typeof reason === 'string' ? new RegExp(`^${RegExp.escape(reason)}$`) : reason,
      )
      await target.idle()
      expect(target.openSockets).toBe(0)
    })
  }

  const silences: readonly [string, Behaviour, Partial<HttpConfig>, RegExp][] = [
    ['accepts and says nothing', hangs(), {}, /^no response within 400 ms; connected, request sent$/],
    [
      'stops in the middle of the head',
      sends(['HTTP/1.1 200 OK\r\nX-A'], 'hold'),
      {},
      /^no complete response within 400 ms; the response has begun$/,
    ],
    [
      'drips its head',
      drips('HTTP/1.1 200 OK\r\nX-A: bcdefghijklmnopqrstuvwxyz\r\n\r\n', 20),
      {},
      /^no complete response within 400 ms; the response has begun$/,
    ],
    [
      'promises a body and sends none',
      hangsAfterHead(),
      readsBody,
      /^no end of the body within 400 ms; 0 bytes of it received$/,
    ],
    [
      'drips its body',
      sends(['HTTP/1.1 200 OK\r\n\r\nabc'], 'hold'),
      readsBody,
      /^no end of the body within 400 ms; 3 bytes of it received$/,
    ],
  ]
  for (const [title, behaviour, config, reason] of silences) {
    test(`${title} is left at the deadline`, async () => {
      await using target = await HttpTarget.start()
      target.behave(behaviour)
      const outcome = await runCheck(http, { url: target.url(), ...config }, new LoopbackRun(400))
      expect(outcome).toMatchObject({ status: 'timeout', evidence: 'local' })
      expect(outcome.reason).toMatch(reason)
      expect(outcome.latencyMs).toBeLessThan(promptlyMs)
      await target.idle()
    })
  }

  test('never finishes the connection is left at the deadline', async () => {
    const run = new LoopbackRun()
    run.network.connect = (_target, abandon) =>
      new Promise((_resolve, reject) => {
        abandon!.onStop = () => reject(new ConnectError('ABORTED', 'no connection to shop.test:80', 'local'))
        setImmediate(() => run.pass())
      })
    const outcome = await runCheck(http, { url: 'http://shop.test/' }, run)
    expect(outcome).toMatchObject({ status: 'timeout', reason: 'no connection to shop.test:80 within 5 s' })
  })

  test('answers before it reads the request is believed', async () => {
    await using target = await HttpTarget.start()
    target.behave(sends(['HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n'], 'hold', 'accept'))
    const outcome = await runCheck(http, { url: target.url(), body: 'x'.repeat(500_000) })
    expect(outcome.reason).toBe('status 413, expected 200-299')
  })

  test('answers in single bytes is understood', async () => {
    await using target = await HttpTarget.start()
    const bytes =
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n6;a=b\r\nneedle\r\n0\r\nX-T: 1\r\n\r\n'
    target.behave(sends([...bytes], 'hold'))
    expect((await runCheck(http, { url: target.url(), ...readsBody })).status).toBe('success')
  })

  test('half-closes after its answer is understood', async () => {
    await using target = await HttpTarget.start()
    target.behave({ when: 'request', act: (socket) => socket.end('HTTP/1.1 200 OK\r\n\r\nneedle') })
    expect((await runCheck(http, { url: target.url(), ...readsBody })).status).toBe('success')
  })

  test('says nothing has its search for an expression stopped at the deadline too', async () => {
    await using target = await HttpTarget.start()
    // Several times as much work as fits before the deadline.
    target.behave(sends([`HTTP/1.1 200 OK\r\n\r\n${'ab'.repeat(5_000_000)}`]))
    const slowest = '(?:a|b)*a(?:a|b){200}c'
    const config = { url: target.url(), max_body_bytes: 10_000_000, expect: { body: { regex: slowest } } }
    expect((await runCheck(http, config, new LoopbackRun(100))).status).toBe('timeout')
  })

  test('is any of these leaves no handle, timer or listener behind', async () => {
    await using target = await HttpTarget.start()
    const handles = () =>
      process.getActiveResourcesInfo().filter((kind) => /TCPSocketWrap|Timeout|TLS/.test(kind)).length
    const before = handles()
    for (const behaviour of [hangs(), closesEarly(), resets(), hangsAfterHead(), sendsEndlessBody()]) {
      target.behave(behaviour)
      const checks = Array.from({ length: 20 }, () =>
        runCheck(http, { url: target.url(), ...readsBody }, new LoopbackRun(60)),
      )
      await Promise.all(checks)
      await target.idle()
    }
    // Without a timer of our own, which would be one of them.
    const endMs = performance.now() + 30_000
    while (handles() > before && performance.now() < endMs) await new Promise(setImmediate)
    expect(handles()).toBeLessThanOrEqual(before)
  })
})
