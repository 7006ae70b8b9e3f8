// openapi/answers.ts: writes the answers of an operation for the OpenAPI document: its successful answers,
// and one problem per status with its codes as examples. Problems are written once and referred to.
import { type Answer, type Api, type Edition, type Operation, schemaIn } from '../operation.ts'
import type { Json, NamedSchemas } from './json-schema.ts'

const problemMediaType = 'application/problem+json'
const requestId = { 'X-Request-ID': { $ref: '#/components/headers/X-Request-ID' } }
/** Headers that come with a status, whatever the operation. */
const headersOfStatus: Readonly<Record<string, Json>> = {
  401: { 'WWW-Authenticate': { $ref: '#/components/headers/WWW-Authenticate' } },
  405: { Allow: { $ref: '#/components/headers/Allow' } },
}

export class AnswerWriter {
  readonly #api: Api
  readonly #edition: Edition
  readonly #names: NamedSchemas
  /** The components that the answers written so far refer to. */
  readonly shared: Record<string, Json> = {}

  constructor(api: Api, edition: Edition, names: NamedSchemas) {
    this.#api = api
    this.#edition = edition
    this.#names = names
  }

  of(operation: Operation): Record<string, Json> {
    const answers: Record<string, Json> = {}
    for (const [status, answer] of Object.entries(operation.answers)) answers[status] = this.#answer(answer)
    for (const [status, codes] of this.#codesByStatus(operation)) {
      if (status in answers) throw new Error(`${operation.path} has two answers for ${status}`)
      answers[status] = this.#problem(status, codes)
    }
    return answers
  }

  #answer(answer: Answer): Json {
    const schema = schemaIn(answer, this.#edition)
    const mediaTypes = [answer.mediaType, ...(answer.otherMediaTypes ?? [])].filter(
      (type) => type !== undefined,
    )
    const content = schema === null ? {} : { content: this.#content(mediaTypes, schema) }
    return {
      description: answer.description,
      headers: { ...requestId, ...this.#headers(answer) },
      ...content,
      ...this.#links(answer),
    }
  }

  #links({ links = {} }: Answer): { links?: Json } {
    const written = Object.entries(links).map(([name, parameters]) => [
      name,
      { operationId: `${this.#api.prefix}.${name}`, parameters },
    ])
    return written.length === 0 ? {} : { links: Object.fromEntries(written) }
  }

  #content(mediaTypes: readonly string[], schema: object): Json {
    return Object.fromEntries(mediaTypes.map((type) => [type, { schema: this.#names.refer(schema) }]))
  }

  #headers({ headers }: Answer): Json {
    if (headers === undefined) return {}
    return Object.fromEntries(
      Object.entries(headers.properties).map(([name, schema]) => {
        const { description, ...form } = this.#names.expand(schema)
        const required = headers.required?.includes(name) ?? false
        return [name, { ...(description === undefined ? {} : { description }), required, schema: form }]
      }),
    )
  }

  #codesByStatus({ problems }: Operation): Map<number, string[]> {
    const codes = new Map<number, string[]>()
    for (const code of new Set([...this.#api.commonProblems, ...problems])) {
      const { status } = this.#entry(code)
      codes.set(status, [...(codes.get(status) ?? []), code])
    }
    return codes
  }

  #problem(status: number, codes: readonly string[]): Json {
    const name = `${this.#api.prefix}.${codes.join('-or-')}`
    this.shared[name] ??= {
      description: codes.map((code) => `${this.#entry(code).title} (\`${code}\`).`).join(' '),
      headers: { ...requestId, ...headersOfStatus[status], ...this.#retryAfter(codes) },
      content: {
        [problemMediaType]: {
          schema: this.#names.refer(this.#api.problemSchema),
          examples: Object.fromEntries(codes.map((code) => [code, { value: this.#example(code) }])),
        },
      },
    }
    return { $ref: `#/components/responses/${name}` }
  }

  #retryAfter(codes: readonly string[]): Json {
    const promised = codes.map((code) => this.#api.problems[code]?.retryAfter)
    if (promised.every((one) => one === undefined)) return {}
    const required = promised.every((one) => one === 'always')
    const schema = { type: 'integer', minimum: 0, format: 'int32' }
    return { 'Retry-After': { description: 'Seconds until it is worth asking again.', required, schema } }
  }

  #example(code: string): Json {
    const entry = this.#entry(code)
    const { Problem } = this.#api.examples as { Problem: Json }
    return { ...Problem, type: `urn:pulseward:problem:${code}`, ...entry, detail: `${entry.title}.`, code }
  }

  #entry(code: string): { status: number; title: string } {
    const entry = this.#api.problems[code]
    if (entry === undefined) throw new Error(`the catalogue has no code ${code}`)
    return { status: entry.status, title: entry.title }
  }
}
