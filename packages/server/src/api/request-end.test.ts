import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { until } from '@pulseward/testing'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { whenOver } from './request-end.ts'

const server = createServer()
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => server.close())

/** A connection that sends bytes, and the answers that are to be given to them. */
async function ask(text: string, count = 1): Promise<{ client: Socket; answers: ServerResponse[] }> {
  const answers: ServerResponse[] = []
  const hear = (_: unknown, answer: ServerResponse) => answers.push(answer)
  server.on('request', hear)
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1', () => client.write(text))
  await until(() => answers.length === count)
  server.off('request', hear)
  return { client, answers }
}

const request = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'

describe('the end of a request', () => {
  it('is told once, when its answer is on its way', async () => {
    const { client, answers } = await ask(request)
    const over = vi.fn()
    whenOver(answers[0]!, over)
    whenOver(answers[0]!, over)
    expect(over).not.toHaveBeenCalled()
    answers[0]!.end('yes')
    await until(() => over.mock.calls.length === 2)
    client.destroy()
    await once(answers[0]!.req.socket, 'close')
    expect(over).toHaveBeenCalledTimes(2)
  })

  it('is told when the client leaves, and to whoever asks after that', async () => {
    const { client, answers } = await ask(request)
    const before = vi.fn()
    const after = vi.fn()
    whenOver(answers[0]!, before)
    client.destroy()
    await until(() => before.mock.calls.length === 1)
    whenOver(answers[0]!, after)
    expect(after).toHaveBeenCalledTimes(1)
  })

  it('is not told when only the body of the request has been read', async () => {
    const { client, answers } = await ask('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi')
    const { req } = answers[0]!
    req.resume()
    await once(req, 'close')
    const over = vi.fn()
    whenOver(answers[0]!, over)
    expect(over).not.toHaveBeenCalled()
    client.destroy()
    await until(() => over.mock.calls.length === 1)
  })

  it('is told to who asks for the first time after the client has left', async () => {
    const { client, answers } = await ask(request)
    client.destroy()
    await once(answers[0]!.req.socket, 'close')
    const over = vi.fn()
    whenOver(answers[0]!, over)
    expect(over).toHaveBeenCalledTimes(1)
  })

  it('is told of every answer of a line of them, also of those whose turn never comes', async () => {
    const { client, answers } = await ask(request.repeat(3), 3)
    const early = vi.fn()
    whenOver(answers[2]!, early)
    client.destroy()
    await once(answers[0]!.req.socket, 'close')
    await until(() => early.mock.calls.length === 1)
    const late = vi.fn()
    for (const answer of answers) whenOver(answer, late)
    expect(late).toHaveBeenCalledTimes(3)
  })
})
