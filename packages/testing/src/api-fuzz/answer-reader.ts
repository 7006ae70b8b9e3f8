// api-fuzz/answer-reader.ts: splits the bytes of a connection into HTTP answers. It is strict: anything else
// is a finding.

export interface ReadAnswer {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: Buffer
}

const answerStart = 'HTTP/1.1 '

/** Whether answers have a body. Answers to HEAD have none, unless the bytes sent were not a valid request. */
export type Bodies = 'always' | 'never' | 'perhaps'

export class AnswerReader {
  #rest: Buffer = Buffer.alloc(0)

  /** True while the bytes so far end between two answers. */
  get isBetween(): boolean {
    return this.#rest.length === 0
  }

  /**
   * The answers that are complete now. An event stream never completes: its head counts as the answer, and
   * the rest is left unread.
   */
  take(chunk: Buffer, bodies: Bodies): ReadAnswer[] {
    this.#rest = Buffer.concat([this.#rest, chunk])
    const answers: ReadAnswer[] = []
    for (let answer = this.#next(bodies); answer !== null; answer = this.#next(bodies)) answers.push(answer)
    return answers
  }

  #next(bodies: Bodies): ReadAnswer | null {
    const end = this.#rest.indexOf('\r\n\r\n')
    if (end === -1) return null
    const [first = '', ...lines] = this.#rest.subarray(0, end).toString('latin1').split('\r\n')
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(`${first} `)?.[1])
    if (Number.isNaN(status)) throw new Error(`this is not an answer: ${first.slice(0, 100)}`)
    const headers = new Map(lines.map((line) => headerOf(line)))
    const from = end + 4
    const length = this.#hasBody(bodies, from) ? bodyLength(status, headers) : 0
    if (length !== null && this.#rest.length < from + length) return null
    const to = length === null ? this.#rest.length : from + length
    const body = this.#rest.subarray(from, to)
    this.#rest = this.#rest.subarray(to)
    return { status, headers, body }
  }

  #hasBody(bodies: Bodies, from: number): boolean {
    if (bodies !== 'perhaps') return bodies === 'always'
    const next = this.#rest.subarray(from, from + answerStart.length).toString('latin1')
    return next !== '' && next !== answerStart
  }
}

function headerOf(line: string): [string, string] {
  const colon = line.indexOf(':')
  if (colon < 1) throw new Error(`this is not a header: ${line.slice(0, 100)}`)
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
}

/** Null for a body that does not end. */
function bodyLength(status: number, headers: ReadonlyMap<string, string>): number | null {
  if (status < 200 || status === 204 || status === 304) return 0
  const length = headers.get('content-length')
  return length === undefined ? null : Number(length)
}
