// servers/server-process.ts: a server of the system as a process of this test: found on the machine, started
// on a free loopback port as the user who runs the test, with its files in a temporary folder, and stopped at
// the end of its scope. It does not touch the system's configuration or services.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { delimiter, join } from 'node:path'
import { isExecutable } from '../files/executable.ts'
import type { TemporaryFolder } from '../files/temporary-folder.ts'

/** A server that `npm run test:servers` runs tests against. */
export interface ServerKind {
  /** As people call it, such as OpenSSH. */
  readonly name: string
  readonly debianPackages: readonly string[]
  /** Nobody installs it for the tests: where it is missing, they are skipped. */
  readonly isOptional?: boolean
  /** Its path on this machine, or null. */
  find(): string | null
}

/** Servers are in folders that are not on an ordinary user's PATH. */
const SYSTEM_FOLDERS = ['/usr/sbin', '/usr/local/sbin', '/sbin']
/** Shorter than the timeout of a test hook, whose error would not say why. */
const READY_WITHIN_MS = 150_000
const LOOK_AGAIN_AFTER_MS = 25
const STOPPED_WITHIN_MS = 5_000
const KEPT_OUTPUT_CHARACTERS = 20_000

/** The path of a program: by its name, or by a glob of whole paths, of which the last match counts. */
export function findProgram(nameOrGlob: string): string | null {
  if (nameOrGlob.startsWith('/')) return globSync(nameOrGlob).sort().at(-1) ?? null
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...SYSTEM_FOLDERS]
  return folders.map((folder) => join(folder, nameOrGlob)).find(isExecutable) ?? null
}

/** A loopback port without a listener. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Whether something accepts connections there. */
export function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port })
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })
}

export interface StartOptions {
  readonly program: string
  readonly words: readonly string[]
  readonly folder: TemporaryFolder
  readonly environment?: NodeJS.ProcessEnv
  /** Starts it as this user. Only root can do so; some servers refuse to run as root. */
  readonly uid?: number
  /** Polled until it returns true. */
  isReady(output: string): boolean | Promise<boolean>
}

export class ServerProcess implements AsyncDisposable {
  readonly folder: TemporaryFolder
  readonly #child: ChildProcess
  #output = ''
  #problem: Error | null = null

  private constructor({ program, words, folder, environment, uid }: StartOptions) {
    this.folder = folder
    this.#child = spawn(program, words, {
      cwd: folder.root,
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A separate process group, so that the server's child processes end with it.
      detached: true,
      ...(uid === undefined ? {} : { uid, gid: uid }),
    })
    this.#child.on('error', (error) => {
      this.#problem = error
    })
    for (const stream of [this.#child.stdout!, this.#child.stderr!]) {
      stream.on('data', (chunk: Buffer) => {
        this.#output = (this.#output + chunk.toString()).slice(-KEPT_OUTPUT_CHARACTERS)
      })
    }
  }

  /** Resolves when the server is ready; rejects with its output if it ends first or takes too long. */
  static async start(options: StartOptions): Promise<ServerProcess> {
    const server = new ServerProcess(options)
    const giveUpAtMs = performance.now() + READY_WITHIN_MS
    try {
      while (!(await options.isReady(server.#output))) {
        if (server.#hasEnded() || performance.now() > giveUpAtMs) {
          const why = server.#problem?.message ?? server.#output
          throw new Error(`${options.program} is not ready:\n${why}`, { cause: server.#problem })
        }
        await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_AFTER_MS))
      }
      return server
    } catch (error) {
      await server[Symbol.asyncDispose]()
      throw error
    }
  }

  /** The end of its output. */
  get output(): string {
    return this.#output
  }

  /** Signals the server and all its child processes. */
  signal(signal: NodeJS.Signals): void {
    if (this.#child.pid === undefined) return
    try {
      process.kill(-this.#child.pid, signal)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#hasEnded()) {
      const ended = once(this.#child, 'exit')
      const impatience = setTimeout(() => this.signal('SIGKILL'), STOPPED_WITHIN_MS)
      this.signal('SIGTERM')
      await ended
      clearTimeout(impatience)
    }
    // Its child processes may outlive it.
    this.signal('SIGKILL')
    this.folder[Symbol.dispose]()
  }

  #hasEnded(): boolean {
    return this.#problem !== null || this.#child.exitCode !== null || this.#child.signalCode !== null
  }
}
