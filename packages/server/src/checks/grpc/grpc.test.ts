// What the contract does not ask of the grpc check; its troubles stand in peers.ts,
// where it meets the usual library's server.
import { once } from 'node:events'
import { createServer, type Http2Server, type ServerHttp2Stream } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { CheckedMonitor, LoopbackRun, runCheck } from '@pulseward/testing/checks'
import { CERTIFICATES_END_AT, certificates } from '@pulseward/testing/targets'
import { describe, expect, it } from 'vitest'
import { grpc } from './grpc.ts'
import { GrpcTarget } from './stand-in.fixture.ts'

const host = '127.0.0.1'
const grpcHeaders = { ':status': 200, 'content-type': 'application/grpc' }

async function checkOf(serve: (stream: ServerHttp2Stream) => void): Promise<string> {
  const server: Http2Server = createServer()
  server.on('stream', (stream: ServerHttp2Stream) => {
    stream.on('error', () => {})
    serve(stream)
  })
  server.listen(0, host)
  await once(server, 'listening')
  try {
    const { port } = server.address() as AddressInfo
    const { reason } = await runCheck(grpc, { host, port })
    return String(reason).replace(`${host}:${port}`, 'it')
  } finally {
    server.close()
  }
}

describe('a grpc check', () => {
  it('tells when the certificate ends, and marks its phases', async () => {
    await using target = await GrpcTarget.start({ identity: certificates.good, health: { '': 'SERVING' } })
    const run = new LoopbackRun()
    const config = { host, port: target.port, tls: { ca: certificates.authority } }
    expect(await runCheck(grpc, config, run)).toMatchObject({
      status: 'success',
      certificateExpiresAt: CERTIFICATES_END_AT,
    })
    expect(run.marks).toEqual(['connect', 'tls', 'first_byte'])
  })

  it('resumes the TLS session of the check before it', async () => {
    await using target = await GrpcTarget.start({ identity: certificates.good, health: { '': 'SERVING' } })
    const monitor = new CheckedMonitor()
    const config = { host, port: target.port, tls: { ca: certificates.authority } }
    for (const certificateExpiresAt of [CERTIFICATES_END_AT, null, null])
      expect(await monitor.check(grpc, config)).toMatchObject({ status: 'success', certificateExpiresAt })
  })

  it.each<[string, (stream: ServerHttp2Stream) => void, string]>([
    [
      'a web page',
      (stream) => {
        stream.respond({ ':status': 404, 'content-type': 'text/html' })
        stream.end('<html>')
      },
      'it speaks HTTP/2, but not gRPC (status 404)',
    ],
    [
      'no status',
      (stream) => {
        stream.respond(grpcHeaders)
        stream.end()
      },
      'it ended the call without a status',
    ],
    ['a broken call', (stream) => stream.close(2), 'it broke off the call'],
    [
      'far too much',
      (stream) => {
        stream.respond(grpcHeaders)
        stream.end(Buffer.alloc(100_000))
      },
      'it sent far more than an answer',
    ],
    [
      'another message',
      (stream) => {
        stream.respond(grpcHeaders, { waitForTrailers: true })
        stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }))
        stream.end(Buffer.from([0, 0, 0, 0, 1, 0xff]))
      },
      'the answer of it is not of the health protocol',
    ],
  ])('says so when it gets %s', async (_, serve, reason) => {
    expect(await checkOf(serve)).toBe(reason)
  })
})
