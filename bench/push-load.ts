// bench/push-load.ts: jobs that report over keep-alive connections, paced to a rate. A signal counts when its answer
// is 200; its latency runs from when it should have been sent, so that a service that falls behind shows it.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export interface Load {
  readonly url: string
  /** The path of the next signal. */
  readonly nextPath: () => string
  readonly perSecond: number
  readonly seconds: number
  readonly connections: number
  /** The head of the request for a path; by default that of a signal. */
  readonly headOf?: (path: string) => string
  /** The address of loopback that it comes from. */
  readonly from?: string
}

export interface LoadResult {
  readonly answered: number
  readonly others: readonly string[]
  readonly latenciesMs: readonly number[]
  readonly perSecond: number
}

export async function reportSignals(load: Load): Promise<LoadResult> {
  const { hostname, port } = new URL(load.url)
  const sockets = Array.from({ length: load.connections }, () =>
    connect({ port: Number(port), host: hostname, localAddress: load.from ?? '127.0.0.1' }),
  )
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  const { headOf = headOfSignal } = load
  const latenciesMs: number[] = []
  const others: string[] = []
  const total = load.perSecond * load.seconds
  const beganMs = performance.now()
  // A server that cannot keep up gets twice the time, and what it did not take is missing.
  const latestMs = beganMs + load.seconds * 2_000
  let sent = 0
  const answers = await Promise.all(
    sockets.map(async (socket) => {
      let answered = 0
      while (sent < total && performance.now() < latestMs) {
        const dueMs = beganMs + (sent++ * 1_000) / load.perSecond
        const waitMs = dueMs - performance.now()
        if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs))
        const status = await ask(socket, headOf(load.nextPath()))
        latenciesMs.push(performance.now() - dueMs)
        if (status === '200') answered++
        else others.push(status)
      }
      return answered
    }),
  )
  for (const socket of sockets) socket.destroy()
  const answered = answers.reduce((sum, one) => sum + one, 0)
  return { answered, others, latenciesMs, perSecond: (answered * 1_000) / (performance.now() - beganMs) }
}

function headOfSignal(path: string): string {
  return `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\n\r\n`
}

/** The status of the answer. */
async function ask(socket: Socket, head: string): Promise<string> {
  socket.write(head)
  let text = ''
  while (!isWhole(text)) {
    const [chunk] = (await once(socket, 'data')) as [Buffer]
    text += chunk.toString('latin1')
  }
  return text.slice(9, 12)
}

function isWhole(text: string): boolean {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return false
  const length = Number(/content-length: (\d+)/i.exec(text.slice(0, end))?.[1] ?? 0)
  return text.length >= end + 4 + length
}
