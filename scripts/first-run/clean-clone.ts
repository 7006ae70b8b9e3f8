// scripts/first-run/clean-clone.ts: a new clone of this repository without node_modules, on the machine of a newcomer, and
// the commands of the README in it. Gone at the end of its scope, with every process that it started.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { environmentOf, type Host, makeProgramFolder } from './host.ts'

const repository = join(import.meta.dirname, '../..')
/** Where tests find the programs of the system that they use. */
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
  readonly #children = new Set<ChildProcess>()

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

  /** Runs a command that ends by itself, with the programs of the system behind node and npm. */
  async run(words: readonly string[], variables: NodeJS.ProcessEnv = {}): Promise<CommandEnd> {
    const startedAt = performance.now()
    const command = this.#spawn(words, systemFolders, variables)
    const [code] = await once(command.child, 'close')
    return { code, output: command.output(), seconds: (performance.now() - startedAt) / 1000 }
  }

  /** `npm start` with nothing but node and npm on the PATH; reads what a newcomer looks at, and stops it. */
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
    command.child.kill('SIGTERM')
    await once(command.child, 'close')
    return start
  }

  /**
   * The commands with which the README creates a monitor, word for word, until one of them fails. Only the port is a free
   * one instead of 8060, in the example too: another service may run here.
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
    service.child.kill('SIGTERM')
    await once(service.child, 'close')
    return given
  }

  #spawn(words: readonly string[], otherPrograms: readonly string[], variables: NodeJS.ProcessEnv) {
    const [program, ...rest] = words
    const { uid } = this.#host
    const programs = join(this.#folder, 'programs')
    const child = spawn(join(programs, program!), rest, {
      cwd: this.root,
      env: { ...environmentOf(this.#host, programs, otherPrograms), ...variables },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own: what npm leaves behind can be ended with it.
      detached: true,
      ...(uid !== null && { uid, gid: uid }),
    })
    this.#children.add(child)
    let output = ''
    let look = (): void => {}
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
        look()
      })
    const untilItSays = (pattern: RegExp) =>
      new Promise<string>((resolve, reject) => {
        look = () => {
          const match = pattern.exec(output)
          if (match !== null) resolve(match[1]!)
        }
        child.once('close', () =>
          reject(new Error(`${words.join(' ')} ended before it said ${pattern}:\n${output}`)),
        )
        look()
      })
    return { child, output: () => output, untilItSays }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { pid } of this.#children) killGroup(pid)
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Those of the block of a page that begins with a command. */
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

function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // Everything in it has ended.
  }
}
