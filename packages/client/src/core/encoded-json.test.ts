import { describe, expect, it } from 'vitest'
import { createClient } from '../create-client.ts'
import type { UploadRequest } from '../generated/v2-types.ts'
import { encodedJson } from './encoded-json.ts'

describe('a body that is JSON already', () => {
  it('is sent as it is, as JSON', async () => {
    const sent: unknown[] = []
    const client = createClient({
      baseUrl: 'http://peer.test',
      fetch: async (_, init) => {
        sent.push(init?.body, new Headers(init?.headers).get('Content-Type'))
        return Response.json({ id: 'op-1', state: 'staging' })
      },
    })
    await client.uploadOperation({ id: 'op-1', body: encodedJson<UploadRequest>('{"items": []}') })
    expect(sent).toEqual(['{"items": []}', 'application/json'])
  })
})
