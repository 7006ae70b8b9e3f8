// stream-metrics.ts: copies GET /metrics to the caller's writer, chunk by chunk and no faster than the writer
// takes it. The body is always closed, and the writer always stays open. After an error the writer may hold a
// part of the metrics: discard it if you need a complete export.
import { isText, knownOf } from './core/answer-head.ts'
import { chunksOf } from './core/bounded-body.ts'
import { timeoutOf } from './core/call.ts'
import type { Deadline } from './core/deadline.ts'
import { exchange } from './core/exchange.ts'
import { type Attempt, failure, reasonOfBody } from './core/failure.ts'
import type { CallOptions } from './core/method.ts'
import { prepareRequest } from './core/request.ts'
import { envelopeOf, type Response } from './core/response.ts'
import type { Settings } from './core/settings.ts'
import { v1Table } from './generated/v1-operations.ts'

/** The part of Node's Writable that is needed. */
export interface NodeWriter {
  write(chunk: Uint8Array, done: (error?: Error | null) => void): boolean
}

export type MetricsWriter = WritableStream<Uint8Array> | NodeWriter

export interface StreamedMetrics {
  readonly byteCount: number
}

const operation = 'streamMetrics'

/** The timeout applies to the head of the answer and to each chunk, not to the writer. */
export async function streamMetrics(
  settings: Settings,
  writer: MetricsWriter,
  options: CallOptions = {},
): Promise<Response<StreamedMetrics>> {
  const attempt: Attempt = { operation, isMutation: false }
  const request = prepareRequest(settings, operation, v1Table.getMetrics, {})
  const timeoutMs = timeoutOf(settings, operation, options)
  return exchange(
    settings,
    { attempt, request, timeoutMs, signal: options.signal },
    async (answer, deadline) => {
      const answered = { ...attempt, answer: knownOf(settings, answer) }
      if (!isText(answer)) throw failure(answered, 'malformedAnswer')
      const byteCount = await copy(answer, settings.maxResponseBytes, writer, answered, deadline)
      return { data: { byteCount }, ...envelopeOf(answer) }
    },
  )
}

async function copy(
  answer: globalThis.Response,
  maxBytes: number,
  writer: MetricsWriter,
  attempt: Attempt,
  deadline: Deadline,
): Promise<number> {
  const sink = sinkOf(writer)
  const cancelled = rejectionOf(deadline.signal)
  let byteCount = 0
  let isWriting = false
  try {
    for await (const chunk of chunksOf(answer.body, maxBytes)) {
      deadline.pause()
      isWriting = true
      await Promise.race([sink.write(chunk), cancelled])
      isWriting = false
      byteCount += chunk.byteLength
      deadline.restart()
    }
    return byteCount
  } catch (error) {
    if (!isWriting) throw failure(attempt, reasonOfBody(error, deadline))
    // An error of the writer belongs to the caller and is rethrown unchanged.
    throw deadline.isOver ? failure(attempt, deadline.isOver) : error
  } finally {
    sink.release()
  }
}

interface Sink {
  write(chunk: Uint8Array): Promise<void>
  release(): void
}

function sinkOf(writer: MetricsWriter): Sink {
  if ('getWriter' in writer) {
    const inner = writer.getWriter()
    return {
      async write(chunk) {
        await inner.ready
        await inner.write(chunk)
      },
      release: () => inner.releaseLock(),
    }
  }
  return {
    write: (chunk) =>
      new Promise((resolve, reject) => {
        writer.write(chunk, (error) => (error ? reject(error) : resolve()))
      }),
    release: () => {},
  }
}

function rejectionOf(signal: AbortSignal): Promise<never> {
  const rejection = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('cancelled')), { once: true })
  })
  // It also rejects after the copy has ended, when no caller is waiting any more.
  rejection.catch(() => {})
  return rejection
}
