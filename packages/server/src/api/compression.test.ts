import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { v1Limits } from '@pulseward/contract'
import { exchange, listeningApi } from '@pulseward/testing/api'
import { describe, expect, it, onTestFinished } from 'vitest'
import { chooseEncoding } from './compression.ts'
import { json, type RouteAnswer, route } from './route.ts'

describe('the encoding of an answer', () => {
  it.each([
    [undefined, null],
    ['', null],
    ['gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'zstd'],
    ['gzip, br', 'br'],
    ['GZIP', 'gzip'],
    ['gzip;q=1.0, br;q=0.5, zstd;q=0.1', 'gzip'],
    ['zstd;q=0, br;q=0, gzip;q=0.001', 'gzip'],
    ['*', 'zstd'],
    ['zstd;q=0, *', 'br'],
    ['*;q=0', null],
    ['identity', null],
    ['identity, gzip;q=0.5', null],
    ['identity;q=0.1, gzip;q=0.5', 'gzip'],
    ['gzip;q=2', null],
    ['gzip;q=soon', null],
    ['deflate, compress', null],
    [';;,,q=1', null],
  ])('for %j is %j', (accepted, encoding) => expect(chooseEncoding(accepted)).toBe(encoding))
})

const large = { text: 'many words '.repeat(500) }

async function asking(answer: () => RouteAnswer) {
  const api = await listeningApi({ routes: [route('GetConfig', answer)] })
  onTestFinished(() => api[Symbol.asyncDispose]())
  const ask = async (encoding: string, method = 'GET') => {
    const lines = `Host: localhost\r\nConnection: close\r\nAccept-Encoding: ${encoding}\r\n`
    const text = await exchange(api.address.port, `${method} /api/v1/config HTTP/1.1\r\n${lines}\r\n`, {
      staysOpen: true,
    })
    const [head, body] = [text.slice(0, text.indexOf('\r\n\r\n')), text.slice(text.indexOf('\r\n\r\n') + 4)]
    const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1]?.trim()
    return { header, bytes: Buffer.from(body, 'latin1') }
  }
  return { ask, url: api.url }
}

describe('a large answer', () => {
  it.each([
    ['zstd', zstdDecompressSync],
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ])('comes as %s when that is asked for', async (encoding, decompress) => {
    const { ask } = await asking(() => json(large))
    const { header, bytes } = await ask(encoding)
    expect(header('content-encoding')).toBe(encoding)
    expect(header('content-length')).toBe(String(bytes.length))
    expect(header('content-type')).toBe('application/json; charset=utf-8')
    expect(header('vary')).toBe('Accept-Encoding')
    expect(bytes.length).toBeLessThan(1_000)
    expect(JSON.parse(decompress(bytes).toString())).toEqual(large)
  })

  it('comes as it is to a client that asks for nothing, and says that this may differ', async () => {
    const { ask } = await asking(() => json(large))
    const { header, bytes } = await ask('identity')
    expect(header('content-encoding')).toBeUndefined()
    expect(header('vary')).toBe('Accept-Encoding')
    expect(JSON.parse(bytes.toString())).toEqual(large)
  })

  it('has the same headers for HEAD, and no body', async () => {
    const { ask } = await asking(() => json(large))
    const [get, head] = [await ask('gzip'), await ask('gzip', 'HEAD')]
    for (const name of ['content-encoding', 'content-length', 'content-type', 'vary'])
      expect(head.header(name)).toBe(get.header(name))
    expect(head.bytes.length).toBe(0)
  })

  it('that is compressed already, or an image, is left alone', async () => {
    const bytes = Buffer.alloc(5_000)
    for (const headers of [
      { 'content-encoding': 'br', 'content-type': 'text/css' },
      { 'content-type': 'image/png' },
    ]) {
      const { ask } = await asking(() => ({ status: 200, bytes, headers }))
      expect((await ask('gzip')).bytes).toEqual(bytes)
    }
  })

  it('that has an entity tag has another one for each encoding, and knows all of them again', async () => {
    const bytes = Buffer.alloc(5_000)
    const headers = { etag: '"a"', 'content-type': 'application/octet-stream' }
    const { ask } = await asking(() => ({ status: 200, bytes, headers }))
    expect((await ask('identity')).header('etag')).toBe('"a"')
    expect((await ask('gzip')).header('etag')).toBe('"a.gzip"')
    expect((await ask('br')).header('etag')).toBe('"a.br"')
  })
})

describe('a small answer', () => {
  it('is compressed from one byte above the limit on', async () => {
    const ofLength = (length: number) => 'x'.repeat(length - 2)
    for (const [length, encoding] of [
      [v1Limits.compressedFromBytes, undefined],
      [v1Limits.compressedFromBytes + 1, 'gzip'],
    ] as const) {
      const bytes = JSON.stringify(ofLength(length))
      const { ask } = await asking(() => ({
        status: 200,
        bytes,
        headers: { 'content-type': 'application/json' },
      }))
      expect((await ask('gzip')).header('content-encoding')).toBe(encoding)
    }
  })
})
