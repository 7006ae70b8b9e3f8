import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { runCheck } from '@pulseward/testing/checks'
import { answers, HttpTarget } from '@pulseward/testing/targets'
import { describe, expect, test } from 'vitest'
import type { HttpConfig } from './config.ts'
import { http } from './http.ts'

async function check(encoding: string, body: Buffer, config: Partial<HttpConfig> = {}) {
  await using target = await HttpTarget.start()
  target.behave(answers({ headers: { 'Content-Encoding': encoding }, body }))
  const expected: HttpConfig['expect'] = { body: { contains: 'needle' } }
  return await runCheck(http, { url: target.url(), expect: expected, ...config })
}

describe('a body that is encoded without being asked for', () => {
  const text = `${'hay '.repeat(1_000)}needle`
  const encoded: readonly [string, Buffer][] = [
    ['gzip', gzipSync(text)],
    ['X-GZIP', gzipSync(text)],
    ['br', brotliCompressSync(text)],
    ['deflate', deflateSync(text)],
    ['deflate', deflateRawSync(text)],
    ['zstd', zstdCompressSync(text)],
    ['identity', Buffer.from(text)],
    ['gzip, br', brotliCompressSync(gzipSync(text))],
  ]
  for (const [encoding, body] of encoded) {
    test(`is read as ${encoding} (${body.length} bytes)`, async () => {
      expect((await check(encoding, body)).reason).toBeNull()
    })
  }

  test('is not asked for', async () => {
    await using target = await HttpTarget.start()
    await runCheck(http, { url: target.url(), expect: { body: { contains: 'ok' } } })
    expect(target.requests[0]).not.toMatch(/accept-encoding/i)
  })

  test('is left alone when nothing is asked about it', async () => {
    expect((await check('gzip', Buffer.from('no gzip'), { expect: {} })).status).toBe('success')
  })

  test('cannot unfold past the limit', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1_048_576))
    const before = process.memoryUsage().arrayBuffers
    const outcome = await check('gzip', bomb)
    expect(outcome.reason).toBe('the body does not contain "needle" in its first 1 MiB (max_body_bytes)')
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16 * 1_048_576)
  })

  test('counts by what is found in it, even when it is cut', async () => {
    const noise = Buffer.from(Array.from({ length: 20_000 }, (_, i) => `${(i * 7_919) % 10_007} `).join(''))
    const body = gzipSync(Buffer.concat([Buffer.from('needle '), noise]))
    expect((await check('gzip', body, { max_body_bytes: 20_000 })).status).toBe('success')
  })

  const refused: readonly [string, Buffer, string][] = [
    ['gzip', Buffer.from('needle'), 'the body is said to be gzip but is not'],
    ['zstd', Buffer.from('needle'), 'the body is said to be zstd but is not'],
    ['gzip', gzipSync(text).subarray(0, 40), 'the body is said to be gzip but is not'],
    ['compress', Buffer.from('needle'), 'the body is encoded as "compress", which cannot be read here'],
    ['gzip, gzip, gzip', Buffer.from('needle'), 'the body is encoded 3 times over'],
  ]
  for (const [encoding, body, reason] of refused) {
    test(`fails as ${encoding} of ${body.length} bytes: ${reason}`, async () => {
      expect(await check(encoding, body)).toMatchObject({ status: 'failure', reason, evidence: 'target' })
    })
  }

  test('that is empty is empty', async () => {
    expect((await check('gzip', Buffer.alloc(0))).reason).toBe('the body does not contain "needle"')
  })
})
