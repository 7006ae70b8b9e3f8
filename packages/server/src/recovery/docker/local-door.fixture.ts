// recovery/docker/local-door.fixture.ts: makes a target on a loopback port reachable by the path of a socket. Every
// byte, end and reset is passed on, so drivers of local services meet the same peers as all others.
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export class LocalDoor implements AsyncDisposable {
  readonly path: string
  readonly #server
  readonly #sockets = new Set<Socket>()

  private constructor(path: string, port: number) {
    this.path = path
    this.#server = createServer((inner) => {
      const outer = connect({ host: '127.0.0.1', port })
      for (const [from, to] of [
        [inner, outer],
        [outer, inner],
      ] as const) {
        this.#sockets.add(from)
        from.pipe(to)
        from.on('error', () => to.destroy())
        from.on('close', () => {
          this.#sockets.delete(from)
          to.destroy()
        })
      }
    })
  }

  static async open(path: string, port: number): Promise<LocalDoor> {
    const door = new LocalDoor(path, port)
    door.#server.listen(path)
    await once(door.#server, 'listening')
    return door
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }
}
