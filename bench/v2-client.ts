// bench/v2-client.ts: requests to v2 over some connections that stay open. No more than what a benchmark asks: the client
// shares its cores with what is measured.
import { Agent, request } from 'node:http'

export interface V2Answer {
  readonly status: number
  readonly etag: string
  readonly text: string
}

interface Body {
  readonly type: 'application/json' | 'application/merge-patch+json'
  readonly value: object
}

export class V2Client implements Disposable {
  readonly #url: string
  readonly #token: string
  readonly #agent: Agent

  constructor(url: string, token: string, connections: number) {
    this.#url = `${url}/api/v2`
    this.#token = token
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections })
  }

  get(path: string): Promise<V2Answer> {
    return this.#send('GET', path, {}, null)
  }

  create(path: string, value: object): Promise<V2Answer> {
    return this.#send('POST', path, { 'if-none-match': '*' }, { type: 'application/json', value })
  }

  patch(path: string, etag: string, value: object): Promise<V2Answer> {
    return this.#send('PATCH', path, { 'if-match': etag }, { type: 'application/merge-patch+json', value })
  }

  delete(path: string, etag: string): Promise<V2Answer> {
    return this.#send('DELETE', path, { 'if-match': etag }, null)
  }

  [Symbol.dispose](): void {
    this.#agent.destroy()
  }

  #send(
    method: string,
    path: string,
    given: Readonly<Record<string, string>>,
    body: Body | null,
  ): Promise<V2Answer> {
    const headers = {
      authorization: `Bearer ${this.#token}`,
      ...given,
      ...(body === null ? {} : { 'content-type': body.type }),
    }
    return new Promise((resolve, reject) => {
      const sent = request(`${this.#url}${path}`, { method, headers, agent: this.#agent }, (answer) => {
        const parts: Buffer[] = []
        answer.on('data', (part: Buffer) => parts.push(part))
        answer.on('error', reject)
        answer.on('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            etag: answer.headers.etag ?? '',
            text: Buffer.concat(parts).toString(),
          }),
        )
      })
      sent.on('error', reject)
      sent.end(body === null ? undefined : JSON.stringify(body.value))
    })
  }
}
