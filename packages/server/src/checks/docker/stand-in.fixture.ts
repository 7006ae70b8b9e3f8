// checks/docker/stand-in.fixture.ts: a Docker engine that answers the one request that a check sends, at a
// socket in the file system or at a port. Owned: `await using engine = await DockerTarget.start(containers)`.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { temporaryFolder } from '@pulseward/testing/checks'
import type { Identity } from '@pulseward/testing/targets'

/** As the engine's API calls it. */
export interface ContainerFacts {
  readonly Status: string
  readonly ExitCode?: number
  readonly OOMKilled?: boolean
  readonly Health?: { readonly Status: string }
}

export interface DockerTargetOptions {
  readonly by: 'socket' | 'port'
  readonly identity?: Identity
}

export class DockerTarget implements AsyncDisposable {
  /** By name; any other container does not exist. */
  readonly containers: Record<string, ContainerFacts>
  readonly #folder = temporaryFolder()
  readonly #server: Server
  readonly #sockets = new Set<Socket>()

  private constructor(containers: Record<string, ContainerFacts>, identity: Identity | undefined) {
    this.containers = containers
    this.#server =
      identity === undefined
        ? createServer()
        : createSecureServer({ cert: identity.certificate, key: identity.key })
    this.#server.on('request', (request, response) => {
      const name = /^\/containers\/([^/]+)\/json$/.exec(request.url ?? '')?.[1] ?? ''
      const facts = this.containers[decodeURIComponent(name)]
      response.writeHead(facts === undefined ? 404 : 200, { 'content-type': 'application/json' })
      const unknown = { message: `No such container: ${name}` }
      response.end(
        JSON.stringify(facts === undefined ? unknown : { Id: 'ab12', Name: `/${name}`, State: facts }),
      )
    })
    this.#server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket)
      socket.on('close', () => this.#sockets.delete(socket))
    })
  }

  static async start(
    containers: Record<string, ContainerFacts>,
    options: DockerTargetOptions = { by: 'socket' },
  ): Promise<DockerTarget> {
    const target = new DockerTarget(containers, options.identity)
    if (options.by === 'socket') target.#server.listen(target.#folder.path('engine.sock'))
    else target.#server.listen(0, '127.0.0.1')
    await once(target.#server, 'listening')
    return target
  }

  /** As a configuration names it. */
  get engine(): string {
    const address = this.#server.address() as AddressInfo | string
    return typeof address === 'string' ? `unix://${address}` : `tcp://127.0.0.1:${address.port}`
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  get openSockets(): number {
    return this.#sockets.size
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
    await closed
    this.#folder[Symbol.dispose]()
  }
}
