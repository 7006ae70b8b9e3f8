// api-fuzz/hostile-v2-request.ts: generates calls of v2 from a seed: every operation, by every kind of
// principal, with bodies that are valid, nearly valid or not JSON at all. It reads the answers, so many of
// its writes name the current version and reach the store. All are valid HTTP, so each must be answered.
import { v2 } from '@pulseward/contract'
import { exchanges } from '@pulseward/contract/v2/examples'
import type { Random } from '../random.ts'
import type { ReadAnswer } from './answer-reader.ts'
import type { HostileRequest } from './hostile-request.ts'
import { values } from './hostile-words.ts'

export interface V2Tokens {
  readonly operator: string
  readonly reader: string
  readonly worker: string
  /** Appears in values of credentials, and in fields where it is always invalid. No answer may contain it. */
  readonly secret: string
}

/** Only a few ids, so that calls hit resources of earlier calls and the service stays small. */
const ids = ['a', 'b', 'c', 'd', 'name:x', 'of-file', 'of.file', 'A'.repeat(128), 'x y', '../a', 'é', '%', '']
const selectors = [
  'team=a',
  '!team',
  'team in (a,b)',
  'a=b=c',
  'x'.repeat(2_000),
  '(',
  'a notin (',
  '__proto__',
]
const versions = [
  '"1.1"',
  '"0.0"',
  '*',
  'W/"1.1"',
  '"1.1", "1.2"',
  '""',
  '"',
  '"é"',
  '1.1',
  `"${'9'.repeat(128)}"`,
]
const mediaTypes = [
  'text/plain',
  'application/json; charset=utf-16',
  ';;',
  '',
  'application/json;;',
  'a/b; c="',
]
const jsonTexts = [
  '',
  '{',
  'nul',
  '[]',
  '1e999',
  '"\\ud800"',
  '{"a":1,"a":2}',
  '{"__proto__":{"x":1}}',
  '\ufeff{}',
  '{"a":1}}',
  `${'['.repeat(70)}${']'.repeat(70)}`,
  `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`,
  '\u0000',
]
const oddities: readonly unknown[] = [
  ...[null, true, -1, 1.5, 2 ** 60, '', 'a', '1s', '999999999h', '0s', [], {}, ['a', 'a'], { a: 1 }],
  ...[
    '2026-02-29T00:00:00Z',
    '\u0000',
    '[REDACTED]',
    '<script>',
    'x'.repeat(5_000),
    'é\u202e',
    '🛰'.repeat(300),
  ],
  ...[{ credential: 'a' }, { type: 'command', config: { argv: ['/bin/true'] } }, { type: 'http', config: 1 }],
  ...['a.b.c', '__proto__', Array.from({ length: 100 }, (_, index) => `a${index}`)],
]
const oddKeys = [
  'extra',
  '',
  '__proto__',
  'constructor',
  'toString',
  'a/b~c',
  'a\nb',
  'credentialRefs',
  'name',
]

const tcp = { type: 'tcp', config: { host: '127.0.0.1', port: 1 } }
/** Used instead of the examples, whose targets and destinations are on other hosts. */
const specs: Readonly<Record<string, object>> = {
  Monitor: { check: { driver: tcp, interval: '1h', timeout: '5s' }, dependsOn: [], tags: ['t'] },
  NotificationEndpoint: { type: 'log', config: {}, credentialRefs: {} },
  NotificationGroup: { endpointRefs: ['a', 'b'] },
  Route: { match: { t: 'a' }, colors: ['red'], endpointRefs: ['a'] },
}
const references = {
  Monitor: (random: Random): object => ({
    dependsOn: random.chance(0.3) ? [random.pick(ids.slice(0, 4))] : [],
    notifications: random.chance(0.3) ? { red: { endpointRefs: ['a'], groupRefs: ['b'] } } : {},
  }),
}

export class HostileV2Requests {
  readonly #random: Random
  readonly #tokens: V2Tokens
  readonly #versions = new Map<string, string>()
  #cursor = ''

  constructor(random: Random, tokens: V2Tokens) {
    this.#random = random
    this.#tokens = tokens
  }

  next(): HostileRequest {
    const random = this.#random
    const name = random.pick(v2.operationNames)
    const operation: v2.V2Operation = v2.operations[name]
    const id = random.chance(0.8) ? random.pick(ids.slice(0, 4)) : random.pick(ids)
    const path = operation.path.replace('{id}', encodeURIComponent(id))
    const resource = operation.path.includes('{id}') ? path : `${path}/${encodeURIComponent(id)}`
    const body = this.#body(name, operation, id)
    const lines = [
      `${random.chance(0.98) ? operation.method : 'OPTIONS'} ${path}${this.#query(operation)} HTTP/1.1`,
      'Host: localhost',
      this.#login(),
      ...(random.chance(0.97) ? ['X-Forwarded-Proto: https'] : []),
      ...this.#preconditions(operation, resource),
      ...(body === null ? [] : [`Content-Length: ${body.length}`, this.#mediaType(operation)]),
      ...(random.chance(0.03) ? ['Origin: https://evil.example'] : []),
    ]
    const head = Buffer.from(`${lines.filter((line) => line !== '').join('\r\n')}\r\n\r\n`, 'latin1')
    const parts = [body === null ? head : Buffer.concat([head, body])]
    const heard = (answers: readonly ReadAnswer[]) => this.#hear(answers, resource)
    return { parts, answers: 1, hopedFor: 1, bodies: 'always', heard }
  }

  #hear([answer]: readonly ReadAnswer[], resource: string): void {
    if (answer === undefined) return
    const tag = answer.headers.get('etag')
    if (tag !== undefined) this.#versions.set(resource, tag)
    const [, cursor] = /"nextCursor":"([^"]+)"/.exec(answer.body.toString('latin1')) ?? []
    if (cursor !== undefined) this.#cursor = cursor
  }

  #login(): string {
    const { operator, reader, worker } = this.#tokens
    switch (this.#random.weighted({ operator: 80, reader: 8, worker: 5, none: 3, wrong: 4 })) {
      case 'operator':
        return `Authorization: Bearer ${operator}`
      case 'reader':
        return `Authorization: Bearer ${reader}`
      case 'worker':
        return `Authorization: Bearer ${worker}`
      case 'none':
        return ''
      case 'wrong':
        return `Authorization: ${this.#random.pick([`Bearer ${operator}x`, `Basic ${operator}`, `Bearer  ${reader} `, 'Bearer', `bearer ${operator.slice(0, -1)}`])}`
    }
  }

  #preconditions({ headers }: v2.V2Operation, resource: string): string[] {
    const random = this.#random
    const lines: string[] = []
    for (const name of Object.keys(headers?.properties ?? {})) {
      const right = name === 'If-Match' ? (this.#versions.get(resource) ?? '"1.1"') : '*'
      if (random.chance(0.95)) lines.push(`${name}: ${random.chance(0.9) ? right : random.pick(versions)}`)
    }
    if (random.chance(0.03))
      lines.push(`${random.pick(['If-Match', 'If-None-Match'])}: ${random.pick(versions)}`)
    return lines
  }

  #mediaType({ body }: v2.V2Operation): string {
    const type = this.#random.chance(0.96) ? (body?.mediaType ?? '') : this.#random.pick(mediaTypes)
    return type === '' ? '' : `Content-Type: ${type}`
  }

  #query({ queryParameters }: v2.V2Operation): string {
    const random = this.#random
    if (!random.chance(queryParameters === undefined ? 0.02 : 0.5)) return ''
    return `?${Array.from({ length: random.whole(1, 3) }, () => this.#parameter()).join('&')}`
  }

  #parameter(): string {
    const random = this.#random
    switch (random.weighted({ limit: 4, cursor: 3, selector: 3, monitorID: 2, other: 1 })) {
      case 'limit':
        return `limit=${random.chance(0.7) ? random.whole(1, 3) : random.pick(values)}`
      case 'cursor':
        return `cursor=${encodeURIComponent(random.chance(0.8) ? this.#cursor : random.pick(['x', 'Mw']))}`
      case 'selector':
        return `selector=${encodeURIComponent(random.pick(selectors))}`
      case 'monitorID':
        return `monitorID=${encodeURIComponent(random.pick(ids))}`
      case 'other':
        return `${random.pick(['Limit', 'x', '__proto__'])}=${random.pick(values)}`
    }
  }

  /** Null if no body is sent. */
  #body(name: v2.OperationName, operation: v2.V2Operation, id: string): Buffer | null {
    const random = this.#random
    if (operation.body === undefined && !random.chance(0.02)) return null
    if (random.chance(0.04)) return Buffer.from(random.pick(jsonTexts))
    if (random.chance(0.002)) return Buffer.alloc(operation.body?.maxBytes ?? 2_000, 0x20)
    const value = this.#document(name, id)
    for (let count = random.chance(0.5) ? 0 : random.whole(1, 3); count > 0; count--) this.#spoil(value)
    const text = Buffer.from(JSON.stringify(value) ?? '')
    if (random.chance(0.02)) text[random.whole(0, Math.max(0, text.length - 1))] = random.whole(0, 255)
    return random.chance(0.01) ? text.subarray(0, random.whole(0, text.length)) : text
  }

  #document(name: v2.OperationName, id: string): unknown {
    const random = this.#random
    const example = structuredClone(exchanges[name].body) as { kind?: string; metadata?: { id: string } }
    const kind = example?.kind
    if (kind === undefined) {
      if (!name.startsWith('Patch')) return example
      return { metadata: { labels: { team: random.pick(['a', 'b', null]) } }, spec: { tags: ['x'] } }
    }
    if (example.metadata !== undefined) example.metadata = { id }
    const spec =
      kind === 'Credential'
        ? { value: `${this.#tokens.secret}-${random.whole(0, 9)}`, description: 'd' }
        : structuredClone(specs[kind])
    const more = kind === 'Monitor' ? references.Monitor(random) : {}
    return { ...example, status: undefined, ...(spec === undefined ? {} : { spec: { ...spec, ...more } }) }
  }

  /** Replaces or removes one value, or adds a member. */
  #spoil(value: unknown): void {
    const random = this.#random
    const places = [...placesIn(value)]
    if (places.length === 0) return
    const [holder, key] = random.pick(places)
    switch (random.weighted({ set: 5, remove: 2, add: 2, secret: 1 })) {
      case 'set':
        return define(holder, key, structuredClone(random.pick(oddities)))
      case 'remove':
        return void Reflect.deleteProperty(holder, key)
      case 'add':
        return define(holder, random.pick(oddKeys), structuredClone(random.pick(oddities)))
      case 'secret':
        // Fields where the secret is refused; the refusal must not repeat it.
        if (['apiVersion', 'kind', 'interval', 'timeout', 'type', 'spec', 'metadata', 'check'].includes(key))
          define(holder, key, this.#tokens.secret)
    }
  }
}

function* placesIn(value: unknown): Generator<[holder: object, key: string]> {
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    yield [value, key]
    yield* placesIn(inner)
  }
}

/** Like JSON.parse: `__proto__` is a key like any other. */
function define(holder: object, key: string, value: unknown): void {
  Object.defineProperty(holder, key, { value, writable: true, enumerable: true, configurable: true })
}
