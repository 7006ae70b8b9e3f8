// process/running-command.ts: the `pulseward` command as a separate process, as a user would start it: `await using
// service = await RunningCommand.serve(['--config', file])`. A process that a test leaves running is killed.
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { RUNTIME_FLAGS } from 'pulseward/bin/launch.js'
import { temporaryFolder } from '../files/temporary-folder.ts'
import { requestPatience } from './request-patience.ts'
import { stateIn } from './service-state.ts'

/** The contexts of the user who runs the tests must not decide which service a command talks to. */
const noContexts = { XDG_CONFIG_HOME: join(tmpdir(), 'pulseward-test-without-contexts') }

const program = fileURLToPath(new URL('bin/pulseward.js', import.meta.resolve('pulseward/package.json')))

/**
 * `npm test` has just built the bundle, so the command starts it directly. The launcher would check a
 * thousand source files again; it has separate tests.
 */
const isBundled = process.env['PULSEWARD_TESTS'] !== undefined
const flags = isBundled ? RUNTIME_FLAGS : []
const known = isBundled
  ? {
      PULSEWARD_ENTRY: new URL('../dist/main.js', pathToFileURL(program)).href,
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
    }
  : {}

/** How a shell starts the command: by this program with these flags and this environment. */
export const commandStart = { program, flags, environment: { ...known, ...requestPatience } } as const

export interface CommandOptions {
  /** Added to an environment without any Pulseward variables. */
  readonly environment?: NodeJS.ProcessEnv
  readonly cwd?: string
  /** A program and its first arguments that run the command in an isolated environment. */
  readonly through?: readonly string[]
}

export interface CommandEnd {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export class RunningCommand implements AsyncDisposable {
  readonly ended: Promise<CommandEnd>
  readonly #child: ChildProcessByStdio<null, Readable, Readable>
  readonly #output = { stdout: '', stderr: '' }
  readonly #waiting = new Set<() => void>()

  constructor(words: readonly string[], options: CommandOptions = {}) {
    const ours = /^(PULSEWARD_|NODE_|VITEST)/
    const inherited = Object.entries(process.env).filter(([name]) => !ours.test(name))
    const [first = process.execPath, ...rest] = [
      ...(options.through ?? []),
      process.execPath,
      ...flags,
      program,
      ...words,
    ]
    const data = words[0] === 'serve' ? temporaryFolder() : null
    const kept = data === null ? {} : stateIn(data.path('data'), words, options.environment)
    this.#child = spawn(first, rest, {
      cwd: options.cwd,
      env: {
        ...Object.fromEntries(inherited),
        ...noContexts,
        ...commandStart.environment,
        ...kept,
        ...options.environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const name of ['stdout', 'stderr'] as const) {
      createInterface({ input: this.#child[name] }).on('line', (line) => {
        this.#output[name] += `${line}\n`
        for (const look of this.#waiting) look()
      })
    }
    this.ended = once(this.#child, 'close').then(([code, signal]) => {
      for (const look of this.#waiting) look()
      data?.[Symbol.dispose]()
      return { code, signal, ...this.#output }
    })
  }

  get pid(): number {
    return this.#child.pid!
  }

  /** A service on a free port; resolves when it prints its address. */
  static async serve(words: readonly string[], options: CommandOptions = {}): Promise<RunningService> {
    const command = new RunningCommand(['serve', '--listen', '127.0.0.1:0', ...words], options)
    const [, url = ''] = await command.until('stdout', /^Pulseward +(http:\S+)\n[\s\S]*^Stop /m)
    return Object.assign(command, { url })
  }

  /** Waits until the output matches; rejects with the whole output if the command ends first. */
  until(stream: 'stdout' | 'stderr', pattern: RegExp): Promise<RegExpExecArray> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const match = pattern.exec(this.#output[stream])
        if (match === null && this.#child.exitCode === null && this.#child.signalCode === null) return
        this.#waiting.delete(look)
        if (match !== null) resolve(match)
        else reject(new Error(`the command ended without ${pattern}:\n${JSON.stringify(this.#output)}`))
      }
      this.#waiting.add(look)
      look()
    })
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.ended
  }
}

export interface RunningService extends RunningCommand {
  readonly url: string
}

/** Runs a command to its end. */
export async function runCommand(
  words: readonly string[],
  options: CommandOptions = {},
): Promise<CommandEnd> {
  await using command = new RunningCommand(words, options)
  return await command.ended
}
