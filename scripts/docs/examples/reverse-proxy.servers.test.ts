// The proxies of docs/reverse-proxy.md, set up as the page says, in front of a real service with the settings of the page:
// what a browser, a client of the API and the command on the machine itself do goes through.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { request } from 'node:https'
import { csrfHeader, v2 } from '@pulseward/contract'
import { temporaryFolder } from '@pulseward/testing'
import { documentOf } from '@pulseward/testing/editions'
import { RunningCommand, runCommand } from '@pulseward/testing/process'
import {
  caddy,
  describeServer,
  nginx,
  type RunningProxy,
  startCaddyProxy,
  startNginxProxy,
} from '@pulseward/testing/servers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { documentedBlocks } from './code-blocks.ts'

const ofPage = documentedBlocks().filter(({ document }) => document === 'docs/reverse-proxy.md')
const documented = (language: string) => ofPage.find((block) => block.language === language)!.text
const token = 'a-token-of-v1-that-nobody-else-has'

interface Answer {
  readonly status: number | undefined
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** Like a browser at the address of the page: by its name, without the port that only this test has. */
function ask(
  proxy: RunningProxy,
  path: string,
  options: { method?: string; headers?: Record<string, string>; body?: string; until?: string } = {},
): Promise<Answer> {
  const { method = 'GET', headers = {}, body, until } = options
  return new Promise((resolve, reject) => {
    const asked = request({
      host: '127.0.0.1',
      // Not the address of the proxy, which is passed over.
      localAddress: '127.0.0.2',
      port: proxy.port,
      path,
      method,
      servername: proxy.certifiedName,
      ca: proxy.authority,
      headers: { host: 'status.example', ...headers },
      agent: false,
    })
    asked.on('error', reject)
    asked.on('response', (response) => {
      let text = ''
      const finish = () => resolve({ status: response.statusCode, headers: response.headers, text })
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
        if (until === undefined || !text.includes(until)) return
        finish()
        asked.destroy()
      })
      response.on('end', finish)
      response.on('error', reject)
    })
    asked.end(body)
  })
}

const origin = 'https://status.example'
const json = { 'content-type': 'application/json' }
const creating = { ...json, 'if-none-match': '*' }

/** One item that takes as many bytes as an upload may have. */
function largestUpload(): { contentDigest: string; body: string } {
  const resource = documentOf('Monitor', 'uploaded')
  const digest = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`
  const item = {
    id: 'Monitor/uploaded',
    contentDigest: digest(canonical(resource)),
    source: 'a.yaml:1',
    resource,
  }
  const body = JSON.stringify({ items: [item] })
  return {
    contentDigest: digest(`${item.id} ${item.contentDigest}\n`),
    body: body + ' '.repeat(v2.limits.uploadBytes - Buffer.byteLength(body)),
  }
}

/** Members in order. */
function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return `{${members.map(([name, of]) => `${JSON.stringify(name)}:${canonical(of)}`).join(',')}}`
}

function tests(start: (service: string) => Promise<RunningProxy>): void {
  const folder = temporaryFolder({ token })
  const settings = documented('yaml').replace('/run/secrets/pulseward', folder.path('token'))
  const data = folder.path('data')
  let service: Awaited<ReturnType<typeof RunningCommand.serve>>
  let proxy: RunningProxy
  let operator = ''
  beforeAll(async () => {
    const file = folder.write('settings.yaml', settings)
    service = await RunningCommand.serve([
      '--settings',
      file,
      '--edition',
      'next',
      '--allow-empty',
      '--data',
      data,
    ])
    operator = readFileSync(folder.path('data/operator.token'), 'utf8').trim()
    proxy = await start(new URL(service.url).host)
  })
  afterAll(async () => {
    await proxy?.[Symbol.asyncDispose]()
    await service?.[Symbol.asyncDispose]()
    folder[Symbol.dispose]()
  })

  it('lets a page sign in with a cookie for https alone, write by it, and hear events', async () => {
    const signedIn = await ask(proxy, '/session', {
      method: 'POST',
      headers: { ...json, origin },
      body: JSON.stringify({ token: operator }),
    })
    expect([signedIn.status, signedIn.text]).toEqual([200, expect.stringContaining('csrf')])
    const [setCookie = ''] = signedIn.headers['set-cookie'] ?? []
    expect(setCookie).toMatch(/; Secure$/)
    const headers = {
      cookie: setCookie.split(';', 1)[0]!,
      origin,
      [csrfHeader]: JSON.parse(signedIn.text).csrf,
    }
    const body = JSON.stringify(documentOf('Monitor', 'by-a-page'))
    const written = await ask(proxy, '/api/v2/monitors', {
      method: 'POST',
      headers: { ...headers, ...creating },
      body,
    })
    expect([written.status, written.text]).toEqual([201, expect.stringContaining('by-a-page')])
    const heard = await ask(proxy, '/api/v1/events', { headers, until: 'event: beat' })
    expect(heard.status).toBe(200)
  })

  it('lets a client write by its token, and upload as much as an upload may have', async () => {
    const headers = { ...creating, authorization: `Bearer ${operator}` }
    const body = JSON.stringify(documentOf('Monitor', 'by-a-client'))
    expect((await ask(proxy, '/api/v2/monitors', { method: 'POST', headers, body })).status).toBe(201)
    const { contentDigest, body: items } = largestUpload()
    const opening = JSON.stringify({ itemCount: 1, contentDigest })
    const opened = await ask(proxy, '/api/v2/operations', {
      method: 'POST',
      headers: { ...json, authorization: headers.authorization },
      body: opening,
    })
    expect([opened.status, opened.text]).toEqual([201, expect.any(String)])
    const uploaded = await ask(proxy, `/api/v2/operations/${JSON.parse(opened.text).id}/items`, {
      method: 'PUT',
      headers: { ...json, authorization: headers.authorization },
      body: items,
    })
    expect([uploaded.status, uploaded.text]).toEqual([200, expect.any(String)])
  })

  it('tells the clients behind it apart, and their wrong guesses', async () => {
    const asClient = (address: string) => ({ authorization: 'Bearer wrong', 'x-forwarded-for': address })
    for (let guess = 0; guess < 10; guess++)
      await ask(proxy, '/api/v1/readyz', { headers: asClient('198.51.100.1') })
    const isLate = async (address: string) => {
      const answer = await fetch(`${service.url}/api/v1/readyz`, { headers: asClient(address) })
      // A delayed guess is the last of its connection.
      return answer.headers.get('connection') === 'close'
    }
    // What a client writes into the header itself is not believed.
    expect([await isLate('127.0.0.2'), await isLate('198.51.100.1')]).toEqual([true, false])
  })

  it('leaves v2 to the command on the machine of the service', async () => {
    const file = folder.write('monitor.json', JSON.stringify(documentOf('Monitor', 'by-the-command')))
    const words = ['apply', '-f', file, '--wait', '--server', service.url]
    const { code, stderr } = await runCommand(words, { environment: { PULSEWARD_DATA: data } })
    expect([code, stderr]).toEqual([0, expect.stringContaining('1 monitor tells nobody when it fails')])
  })
}

describe('a service behind a proxy as docs/reverse-proxy.md describes it', () => {
  describeServer(nginx, (program) => {
    tests((service) => startNginxProxy(program, documented('nginx'), service))
  })
  describeServer(caddy, (program) => {
    tests((service) => startCaddyProxy(program, documented('caddyfile'), service))
  })
})
