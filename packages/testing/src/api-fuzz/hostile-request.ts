// api-fuzz/hostile-request.ts: generates requests from a seed: valid ones with odd values, and bytes that no
// proper client sends. Each says whether it must be answered, so that a service that may stay silent is not
// taken for one that hangs.
import type { Random } from '../random.ts'
import type { Bodies, ReadAnswer } from './answer-reader.ts'
import { breaks, headerLines, methods, parameterNames, pathPieces, routes, values } from './hostile-words.ts'

const head = Buffer.from('HEAD ')

export interface HostileRequest {
  /** Written one after the other, with a short pause between them. */
  readonly parts: readonly Buffer[]
  /** Number of answers that must arrive. */
  readonly answers: number
  /** Number of answers to wait for briefly; the service need not send them. */
  readonly hopedFor: number
  readonly bodies: Bodies
  /** Called with the answers, for generators that learn from them. */
  readonly heard?: (answers: readonly ReadAnswer[]) => void
}

export class HostileRequests {
  readonly #random: Random
  readonly #token: string

  constructor(random: Random, token: string) {
    this.#random = random
    this.#token = token
  }

  next(): HostileRequest {
    switch (
      this.#random.weighted({ proper: 40, odd: 35, pipelined: 6, mangled: 10, slow: 2, large: 3, noise: 4 })
    ) {
      case 'proper':
        return this.#proper()
      case 'odd':
        return unanswered(this.#odd())
      case 'pipelined':
        return this.#pipelined()
      case 'mangled':
        return unanswered(this.#mangled(this.#odd()))
      case 'slow':
        return this.#slow()
      case 'large':
        return unanswered(this.#large())
      case 'noise':
        return unanswered(this.#noise())
    }
  }

  /** Valid HTTP with any values, so it must be answered. */
  #proper(): HostileRequest {
    const isHead = this.#random.chance(0.1)
    const text = `${isHead ? 'HEAD' : 'GET'} ${this.#route()}${this.#query()} HTTP/1.1\r\nHost: localhost\r\n${this.#login()}\r\n`
    return {
      parts: [Buffer.from(text, 'latin1')],
      answers: 1,
      hopedFor: 1,
      bodies: isHead ? 'never' : 'always',
    }
  }

  #pipelined(): HostileRequest {
    const count = this.#random.whole(2, 20)
    const texts = Array.from(
      { length: count },
      () => `GET ${this.#route()}${this.#query()} HTTP/1.1\r\nHost: localhost\r\n${this.#login()}\r\n`,
    )
    return { parts: [Buffer.from(texts.join(''), 'latin1')], answers: 0, hopedFor: count, bodies: 'always' }
  }

  #odd(): string {
    const { method, path, body } = {
      method: this.#random.chance(0.6) ? 'GET' : this.#random.pick(methods),
      path: this.#random.chance(0.5) ? this.#path() : this.#route() + this.#query(),
      body: this.#random.chance(0.2) ? this.#body() : '\r\n',
    }
    const lines = Array.from(
      { length: this.#random.whole(0, 5) },
      () => `${this.#random.pick(headerLines)}\r\n`,
    )
    return `${method} ${path} HTTP/1.1\r\nHost: localhost\r\n${this.#login()}${lines.join('')}${body}`
  }

  #body(): string {
    return this.#random.pick([
      'Content-Length: 5\r\n\r\nhello',
      'Content-Length: 2\r\nContent-Length: 3\r\n\r\nabc',
      'Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n',
      'Transfer-Encoding: chunked\r\n\r\nzz\r\n',
      'Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n',
      'Content-Length: 100\r\n\r\nshort',
      `Content-Type: application/json\r\nContent-Length: 5000\r\n\r\n${'x'.repeat(5_000)}`,
    ])
  }

  /** Removes, doubles or replaces a few characters. */
  #mangled(text: string): string {
    let mangled = text
    for (let count = this.#random.whole(1, 6); count > 0; count--) {
      const place = this.#random.whole(0, mangled.length)
      const put = this.#random.pick([
        this.#random.pick(breaks),
        String.fromCharCode(this.#random.whole(0, 255)),
        '',
      ])
      mangled = mangled.slice(0, place) + put + mangled.slice(place + this.#random.whole(0, 3))
    }
    return mangled
  }

  /** Sent in pieces, and perhaps never completely. */
  #slow(): HostileRequest {
    const whole = Buffer.from(this.#odd(), 'latin1')
    const cut = this.#random.whole(1, whole.length)
    const parts = [whole.subarray(0, cut >> 1), whole.subarray(cut >> 1, cut)]
    if (this.#random.chance(0.5)) parts.push(whole.subarray(cut))
    return { parts, answers: 0, hopedFor: 1, bodies: bodiesFor(whole) }
  }

  #large(): string {
    const long = this.#random
      .pick(['x', '%2e', 'é', '/', ',', '&q=a'])
      .repeat(this.#random.whole(1_000, 12_000))
    return this.#random.pick([
      `GET /api/v1/monitors?q=${long} HTTP/1.1\r\nHost: localhost\r\n${this.#login()}\r\n`,
      `GET /${long} HTTP/1.1\r\nHost: localhost\r\n${this.#login()}\r\n`,
      `GET /api/v1/monitors/${long} HTTP/1.1\r\nHost: localhost\r\n${this.#login()}\r\n`,
      `GET /api/v1/healthz HTTP/1.1\r\nHost: localhost\r\nX-Long: ${long}\r\n${this.#login()}\r\n`,
      `GET /api/v1/history?cursor=${long} HTTP/1.1\r\nHost: localhost\r\n${this.#login()}\r\n`,
      `GET /api/v1/healthz HTTP/1.1\r\nHost: localhost\r\nAuthorization: Basic ${long}\r\n\r\n`,
    ])
  }

  #noise(): string {
    const length = Math.floor(this.#random.spread(1, 2_000))
    return Array.from({ length }, () => String.fromCharCode(this.#random.whole(0, 255))).join('')
  }

  #route(): string {
    return this.#random
      .pick(routes)
      .replace('{id}', this.#random.pick(['1', '2', '0', '4294967295', '4294967296', 'x', '%31']))
  }

  #path(): string {
    return `/${Array.from({ length: this.#random.whole(1, 6) }, () => this.#random.pick(pathPieces)).join('')}`
  }

  #query(): string {
    const count = this.#random.whole(0, 4)
    if (count === 0) return ''
    const pairs = Array.from(
      { length: count },
      () => `${this.#random.pick(parameterNames)}=${this.#random.pick(values)}`,
    )
    return `?${pairs.join('&')}`
  }

  /**
   * Mostly the right token, because more can break behind it. Wrong tokens come from many addresses, so they
   * are not delayed.
   */
  #login(): string {
    const from = `X-Forwarded-For: 198.51.${this.#random.whole(0, 255)}.${this.#random.whole(0, 255)}\r\n`
    const basic = (login: string) => `Authorization: Basic ${Buffer.from(login).toString('base64')}\r\n`
    switch (this.#random.weighted({ bearer: 70, basic: 10, none: 10, wrong: 6, broken: 4 })) {
      case 'bearer':
        return `Authorization: Bearer ${this.#token}\r\n`
      case 'basic':
        return basic(`svc:${this.#token}`)
      case 'none':
        return ''
      case 'wrong':
        return (
          from +
          this.#random.pick([basic(`admin:${this.#token}`), 'Authorization: Bearer wrong\r\n', basic('svc:')])
        )
      case 'broken':
        return (
          from +
          this.#random.pick([
            'Authorization: Basic !!!\r\n',
            'Authorization: \r\n',
            'Authorization: Bearer a b\r\n',
          ])
        )
    }
  }
}

function unanswered(text: string): HostileRequest {
  const whole = Buffer.from(text, 'latin1')
  return { parts: [whole], answers: 0, hopedFor: 1, bodies: bodiesFor(whole) }
}

function bodiesFor(whole: Buffer): Bodies {
  return whole.subarray(0, 5).equals(head) ? 'perhaps' : 'always'
}
