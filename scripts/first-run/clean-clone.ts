// scripts/first-run/clean-clone.ts: a new clone of this repository without node_modules, on the machine of a newcomer,
// and the commands of the README in it. Deleted at the end of its scope, with every process that it started.
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Host, makeProgramFolder } from './host.ts'
import { type HostCommand, startOnHost } from './host-command.ts'

const repository = join(import.meta.dirname, '../..')
/** Where tests find the system programs that they use. */
const systemFolders = ['/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin', '/sbin']

export interface CommandEnd {
  readonly code: number | null
  readonly output: string
  readonly seconds: number
}

/** The command and how it ended. */
export type GivenCommand = CommandEnd & { readonly command: string }

export interface FirstStart {
  /** From `npm start` until the overview has an answer. */
  readonly seconds: number
  readonly overview: { readonly total: number }
  readonly page: string
  /** The script that the page loads. */
  readonly script: string
}

export class CleanClone implements AsyncDisposable {
  readonly root: string
  readonly #folder: string
  readonly #host: Host
  readonly #commands = new Set<HostCommand>()

  constructor(host: Host) {
    this.#host = host
    this.#folder = mkdtempSync(join(tmpdir(), 'pulseward-first-run-'))
    this.root = join(this.#folder, 'pulseward')
    execFileSync('git', ['clone', '--quiet', repository, this.root], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    makeProgramFolder(host, join(this.#folder, 'programs'))
    if (host.uid !== null) {
      chownSync(this.#folder, host.uid, host.uid)
      execFileSync('chown', ['-R', String(host.uid), this.root])
    }
  }

  /** Runs a command to its end, with the system's programs after node and npm on the PATH. */
  async run(words: readonly string[], variables: NodeJS.ProcessEnv = {}): Promise<CommandEnd> {
    const startedAt = performance.now()
    const command = this.#spawn(words, systemFolders, variables)
    const code = await command.ended
    return { code, output: command.output(), seconds: (performance.now() - startedAt) / 1000 }
  }

  /** Runs `npm start` with only node and npm on the PATH, reads what a newcomer looks at, and stops it. */
  async start(): Promise<FirstStart> {
    const startedAt = performance.now()
    const command = this.#spawn(['npm', 'start'], [], { PULSEWARD_LISTEN: '127.0.0.1:0' })
    const url = await command.untilItSays(/^Pulseward +(http:\S+)$/m)
    const overview = (await (await fetch(`${url}/api/v1/overview`)).json()) as FirstStart['overview']
    const seconds = (performance.now() - startedAt) / 1000
    const page = await (await fetch(url)).text()
    const script = /<script type="module"[^>]* src="([^"]+)"/.exec(page)?.[1] ?? '/no-script'
    const answer = await fetch(new URL(script, url))
    const start = { seconds, overview, page, script: answer.ok ? await answer.text() : '' }
    command.signal('SIGTERM')
    await command.ended
    return start
  }

  /**
   * Runs the commands with which the README creates a monitor, literally, until one fails. Only the port is a
   * free one instead of 8060, also in the example: another service may run here.
   */
  async manage(): Promise<readonly GivenCommand[]> {
    const [start = '', ...others] = commandsFrom(join(this.root, 'README.md'), 'npm start -- --edition next')
    const port = await freePort()
    const example = join(this.root, 'examples', 'monitor.yaml')
    writeFileSync(example, readFileSync(example, 'utf8').replace(':8060', `:${port}`))
    const service = this.#spawn(start.split(' '), [], { PULSEWARD_LISTEN: `127.0.0.1:${port}` })
    const url = await service.untilItSays(/^Pulseward +(http:\S+)$/m)
    const given: GivenCommand[] = []
    for (const command of others) {
      const end = await this.run(command.split(' '), { PULSEWARD_SERVER: url })
      given.push({ ...end, command })
      if (end.code !== 0) break
    }
    service.signal('SIGTERM')
    await service.ended
    return given
  }

  #spawn(words: readonly string[], otherPrograms: readonly string[], variables: NodeJS.ProcessEnv) {
    const programs = join(this.#folder, 'programs')
    const place = { host: this.#host, programs, otherPrograms, cwd: this.root, variables }
    const command = startOnHost(words, place)
    this.#commands.add(command)
    return command
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const command of this.#commands) command.killAll()
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** The commands of the block of a page that starts with this command. */
function commandsFrom(page: string, first: string): readonly string[] {
  const blocks = readFileSync(page, 'utf8').matchAll(/^```sh\n([\s\S]*?)^```$/gm)
  const lines = [...blocks].map(([, block = '']) => block.trim().split('\n'))
  const found = lines.find(([line]) => line === first)
  if (found === undefined) throw new Error(`${page} has no commands that begin with ${first}.`)
  return found
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
