import { once } from 'node:events'
import { request } from 'node:https'
import { connect as connectPlain } from 'node:net'
import { connect } from 'node:tls'
import { exchange, getRequest, listeningApi } from '@pulseward/testing/api'
import { certificates } from '@pulseward/testing/targets'
import { describe, expect, it, onTestFinished } from 'vitest'
import { healthz } from './routes/healthz.ts'

async function secure() {
  const api = await listeningApi({ routes: [healthz], identity: certificates.good })
  onTestFinished(() => api[Symbol.asyncDispose]())
  return api
}

function statusOf(url: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { ca: certificates.authority, agent: false }, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    })
    asked.on('error', reject)
    asked.end()
  })
}

describe('a listener with a certificate', () => {
  it('speaks HTTPS with it', async () => {
    const { url } = await secure()
    expect(url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/)
    expect(await statusOf(`${url}/api/v1/healthz`)).toBe(200)
  })

  it('says nothing in the clear, and goes on', async () => {
    const { url, address } = await secure()
    expect(await exchange(address.port, getRequest('/api/v1/healthz'))).not.toContain('HTTP/1.1')
    expect(await exchange(address.port, '\x16\x03\x01\x00\x05hello')).not.toContain('HTTP/1.1')
    expect(await statusOf(`${url}/api/v1/healthz`)).toBe(200)
  })

  it('refuses what is older than TLS 1.2', async () => {
    const { address } = await secure()
    const attempt = (maxVersion: 'TLSv1.1' | 'TLSv1.2') =>
      new Promise((resolve) => {
        const socket = connect({
          port: address.port,
          host: '127.0.0.1',
          ca: certificates.authority,
          minVersion: 'TLSv1',
          maxVersion,
          ciphers: 'DEFAULT@SECLEVEL=0',
        })
        socket.on('secureConnect', () => {
          resolve(socket.getProtocol())
          socket.destroy()
        })
        socket.on('error', () => resolve('refused'))
      })
    expect(await attempt('TLSv1.1')).toBe('refused')
    expect(await attempt('TLSv1.2')).toBe('TLSv1.2')
  })

  it('stops while a client is still in its handshake', async () => {
    const api = await secure()
    const client = connectPlain(api.address.port, '127.0.0.1')
    onTestFinished(() => void client.destroy())
    await once(client, 'connect')
    const stopped = api[Symbol.asyncDispose]()
    const secured = connect({ socket: client, ca: certificates.authority, servername: 'localhost' })
    secured.on('error', () => {})
    await once(secured, 'close')
    await stopped
  })
})
