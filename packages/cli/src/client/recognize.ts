// client/recognize.ts: distinguishes a Pulseward server from another program at the same address, so that no
// command reports a foreign program as healthy. Every answer of the service has a request id, and every read
// has the shape of its operation.
import { type Client, TransportError } from '@pulseward/client'
import { type Operation, v1Operations, v2 } from '@pulseward/contract'
import { hasShape } from './answer-shape.ts'

/** An answer from another program, or from a proxy in front of the service. */
export interface ForeignAnswer {
  readonly status: number
  /** Empty if there is none. */
  readonly contentType: string
}

/** Redirects are refused elsewhere, with their own message. */
export function foreignAnswer({ status, headers }: globalThis.Response): ForeignAnswer | null {
  if (headers.has('X-Request-ID') || (status >= 300 && status < 400)) return null
  return { status, contentType: /^[\w.+/-]{1,60}/.exec(headers.get('Content-Type') ?? '')?.[0] ?? '' }
}

/** The same client, except that a read with an answer of the wrong shape fails as malformed. */
export function checkedClient(client: Client): Client {
  return {
    ...client,
    ...checkedReads(client, v2.operations),
    v1: { ...client.v1, ...checkedReads(client.v1, v1Operations) },
  }
}

type Read = (...given: unknown[]) => Promise<{ readonly data: unknown; readonly statusCode: number }>

function checkedReads<Methods extends object>(
  methods: Methods,
  operations: Readonly<Record<string, Operation>>,
): Partial<Methods> {
  const checked = Object.entries(operations).flatMap(([operation, { method, answers }]) => {
    const name = operation[0]!.toLowerCase() + operation.slice(1)
    const read = methods[name as keyof Methods] as Read | undefined
    if (read === undefined || method !== 'GET') return []
    const call: Read = async (...given) => {
      const answer = await read(...given)
      if (!isAnswer(answers[answer.statusCode], answer.data)) throw notItsAnswer(name)
      return answer
    }
    // Keeps the method of a list that reads every page.
    return [[name, Object.assign(call, read)] as const]
  })
  return Object.fromEntries(checked) as Partial<Methods>
}

export function notItsAnswer(operation: string): TransportError {
  return new TransportError(`${operation} got an answer that is not of its operation`, {
    operation,
    reason: 'malformedAnswer',
  })
}

/** Accepts the shape of any edition. */
function isAnswer(answer: Operation['answers'][number] | undefined, data: unknown): boolean {
  if (answer?.schema === undefined) return true
  return [answer.schema, ...Object.values(answer.schemaIn ?? {})].some((schema) => hasShape(schema, data))
}
