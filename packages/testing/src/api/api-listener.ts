// api/api-listener.ts: the real listener of the API over routes that a test chooses, and raw bytes that no
// proper client would send: `await using api = await listeningApi({ routes: [healthz] })`.
import { connect, type Socket } from 'node:net'
import { type ApiOptions, type ApiServer, startApi } from '@pulseward/server/internal/api/server.ts'
import { systemClock } from '@pulseward/server/internal/platform/clock.ts'
import { silentLog } from '@pulseward/server/internal/telemetry/log.ts'
import { SystemMeters } from '@pulseward/server/internal/telemetry/system-meter.ts'

export function listeningApi(options: Partial<ApiOptions> = {}): Promise<ApiServer> {
  return startApi({
    listen: { host: '127.0.0.1', port: 0 },
    token: null,
    routes: [],
    clock: systemClock,
    log: silentLog,
    meter: new SystemMeters(0).add('api'),
    ...options,
  })
}

export interface ExchangeOptions {
  /** Keeps our side of the connection open after the bytes, so that only the service can end it. */
  readonly staysOpen?: boolean
}

/** Sends raw bytes and returns everything that arrives until the connection ends. */
export function exchange(
  port: number,
  bytes: string | Uint8Array,
  { staysOpen = false }: ExchangeOptions = {},
): Promise<string> {
  return new Promise((resolve) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1', () => {
      if (staysOpen) socket.write(bytes)
      else socket.end(bytes)
    })
    socket.setEncoding('latin1')
    socket.on('data', (chunk: Buffer | string) => {
      answer += String(chunk)
    })
    // A peer that closes before it has read all our bytes resets the connection; what it sent before still counts.
    socket.on('error', () => {})
    socket.on('close', () => resolve(answer))
  })
}

/** A client that sends a request and never reads the answer. */
export function deafClient(port: number, request: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => {
      socket.pause()
      socket.write(request, () => resolve(socket))
    })
    socket.once('error', reject)
  })
}

export const getRequest = (path: string, headers = ''): string =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`
