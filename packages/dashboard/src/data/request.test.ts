import type { RequestListener } from 'node:http'
import { expect, it } from 'vitest'
import { readJson } from './request.ts'
import { serve } from './served.fixture.ts'

const never = new AbortController().signal

it('carries the words and the request id of a problem', async () => {
  const url = await serve((_, response) => {
    response.writeHead(503, { 'content-type': 'application/problem+json; charset=utf-8' })
    response.end('{"code":"unavailable","detail":"No snapshot yet.","request_id":"r-1"}')
  })
  await expect(readJson(url, never)).rejects.toMatchObject({
    kind: 'unavailable',
    message: 'No snapshot yet.',
    code: 'unavailable',
    requestId: 'r-1',
  })
})

it('takes a status that is an answer as one', async () => {
  const url = await serve((_, response) => response.writeHead(503).end('{"status":"not_ready"}'))
  expect(await readJson(url, never, [503])).toEqual({ status: 'not_ready' })
})

it.each([
  ['nothing listens', null],
  ['the connection is cut', (_, response) => response.destroy()],
  [
    'the answer ends early',
    (_, response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('{"total":')
      setImmediate(() => response.destroy())
    },
  ],
  ['the answer is not JSON', (_, response) => response.end('<html>')],
] as const satisfies readonly (readonly [string, RequestListener | null])[])(
  'is unreachable when %s',
  async (_, listener) => {
    const url = listener === null ? 'http://127.0.0.1:1/' : await serve(listener)
    await expect(readJson(url, never)).rejects.toMatchObject({ kind: 'unreachable' })
  },
)
