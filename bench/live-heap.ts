// bench/live-heap.ts: the live heap of a Node process, read through its inspector after a collection. The
// kernel's figure is mostly garbage that was not worth collecting yet.
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** For NODE_OPTIONS of the process: where its inspector listens when it is activated. */
export async function inspectorPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}

export class LiveHeap implements Disposable {
  readonly #socket: WebSocket
  #lastId = 0

  private constructor(socket: WebSocket) {
    this.#socket = socket
  }

  static async open(pid: number, port: number): Promise<LiveHeap> {
    process.kill(pid, 'SIGUSR1')
    const socket = new WebSocket(await debuggerUrl(port))
    await once(socket, 'open')
    return new LiveHeap(socket)
  }

  async bytes(): Promise<number> {
    await this.#ask('HeapProfiler.collectGarbage')
    return (await this.#ask('Runtime.getHeapUsage'))['usedSize'] as number
  }

  [Symbol.dispose](): void {
    this.#socket.close()
  }

  #ask(method: string): Promise<Record<string, unknown>> {
    const id = ++this.#lastId
    return new Promise((resolve) => {
      const hear = ({ data }: MessageEvent) => {
        const answer = JSON.parse(String(data))
        if (answer.id !== id) return
        this.#socket.removeEventListener('message', hear)
        resolve(answer.result)
      }
      this.#socket.addEventListener('message', hear)
      this.#socket.send(JSON.stringify({ id, method }))
    })
  }
}

async function debuggerUrl(port: number): Promise<string> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const answer = await fetch(`http://127.0.0.1:${port}/json`).catch(() => null)
    if (answer !== null) {
      const [target] = (await answer.json()) as [{ webSocketDebuggerUrl: string }]
      return target.webSocketDebuggerUrl
    }
    await sleep(50)
  }
  throw new Error('the inspector of the service did not open')
}
