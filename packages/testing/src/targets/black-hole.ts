// targets/black-hole.ts: a loopback port where connecting neither succeeds nor fails, as behind a firewall
// that drops packets. A thread listens with the shortest backlog and then blocks; when the backlog is full,
// the kernel drops every further attempt. Owned: `await using hole = await BlackHole.start()`.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { Worker } from 'node:worker_threads'

const LISTEN_AND_STAND_STILL = `
const { createServer } = require('node:net')
const { parentPort, workerData } = require('node:worker_threads')
const server = createServer()
server.listen({ host: workerData.host, port: 0, backlog: 1 }, () => {
  parentPort.postMessage(server.address().port)
  setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0))
})`

/** A backlog of one holds two or three connections, depending on the kernel. */
const MAX_FILLERS = 16
const SILENT_AFTER_MS = 150

export class BlackHole implements AsyncDisposable {
  readonly host: string
  readonly port: number
  readonly #worker: Worker
  readonly #fillers: Socket[] = []

  private constructor(host: string, port: number, worker: Worker) {
    this.host = host
    this.port = port
    this.#worker = worker
  }

  static async start(host = '127.0.0.1'): Promise<BlackHole> {
    const worker = new Worker(LISTEN_AND_STAND_STILL, { eval: true, workerData: { host } })
    const [port] = (await once(worker, 'message')) as [number]
    const hole = new BlackHole(host, port, worker)
    await hole.#fill()
    return hole
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const filler of this.#fillers) filler.destroy()
    await this.#worker.terminate()
  }

  async #fill(): Promise<void> {
    for (let i = 0; i < MAX_FILLERS; i++) {
      const filler = connect({ host: this.host, port: this.port })
      filler.on('error', () => {})
      this.#fillers.push(filler)
      const connected = await Promise.race([
        once(filler, 'connect').then(() => true),
        new Promise<false>((resolve) => setTimeout(() => resolve(false), SILENT_AFTER_MS)),
      ])
      if (!connected) return
    }
    throw new Error('the kernel kept accepting connections')
  }
}
