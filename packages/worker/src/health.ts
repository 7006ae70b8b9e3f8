// health.ts: a small listener for monitoring the worker: /live while the process runs, /ready while it can
// take jobs, /metrics for a metrics server. It shows numbers and reasons, never a job.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Counters } from './counters.ts'
import { WorkerError } from './worker-error.ts'

export interface WorkerStatus {
  readonly ready: boolean
  /** Why it is not ready; empty if it is. */
  readonly reason: string
  readonly workerID: string
  readonly undelivered: number
  readonly counters: Readonly<Counters>
}

export interface HealthListener extends AsyncDisposable {
  readonly port: number
}

export async function listenForHealth(
  { port, host = '127.0.0.1' }: { readonly port: number; readonly host?: string },
  status: () => WorkerStatus,
): Promise<HealthListener> {
  const server = createServer((request, response) => {
    const answer =
      request.method === 'GET' || request.method === 'HEAD' ? answerOf(request.url, status()) : null
    const { code, type, text } = answer ?? {
      code: 404,
      type: 'text/plain',
      text: 'There is /live, /ready and /metrics.\n',
    }
    response.writeHead(code, { 'Content-Type': type, 'Cache-Control': 'no-store' }).end(text)
  })
  await listening(server, port, host)
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function answerOf(url: string | undefined, status: WorkerStatus) {
  const json = (code: number, body: object) =>
    ({ code, type: 'application/json', text: `${JSON.stringify(body)}\n` }) as const
  switch (url) {
    case '/live':
      return json(200, { live: true })
    case '/ready':
      return json(status.ready ? 200 : 503, status)
    case '/metrics':
      return { code: 200, type: 'text/plain; version=0.0.4', text: exposition(status) } as const
    default:
      return null
  }
}

const gauges: ReadonlySet<string> = new Set(['running', 'undelivered', 'ready'])

function exposition({ ready, undelivered, counters }: WorkerStatus): string {
  const numbers = { ready: Number(ready), undelivered, ...counters }
  return Object.entries(numbers)
    .map(([name, value]) => {
      const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
      const full = `pulseward_worker_${snake}${gauges.has(name) ? '' : '_total'}`
      return `# TYPE ${full} ${gauges.has(name) ? 'gauge' : 'counter'}\n${full} ${value}\n`
    })
    .join('')
}

async function listening(server: Server, port: number, host: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject).listen(port, host, resolve)
  try {
    await promise
  } catch (error) {
    throw new WorkerError(
      'healthUnavailable',
      `The health endpoint cannot listen on ${host}:${port}: ${(error as Error).message}. Name another port.`,
      { cause: error },
    )
  }
}
