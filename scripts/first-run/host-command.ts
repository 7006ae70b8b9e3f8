// scripts/first-run/host-command.ts: a command on the machine of a newcomer, with all its child processes:
// its output is collected, and all of them can be killed at once.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { environmentOf, type Host } from './host.ts'

export interface HostPlace {
  readonly host: Host
  /** Made by makeProgramFolder. */
  readonly programs: string
  /** Folders after it on the PATH. */
  readonly otherPrograms: readonly string[]
  readonly cwd: string
  readonly variables: NodeJS.ProcessEnv
}

export interface HostCommand {
  readonly pid: number | undefined
  /** Its exit code; null if a signal ended it. */
  readonly ended: Promise<number | null>
  /** Of both streams, so far. */
  output(): string
  /** Resolves with the first group of the pattern; rejects with the output if the command ends first. */
  untilItSays(pattern: RegExp): Promise<string>
  signal(signal: NodeJS.Signals): void
  /** Kills the command and all its child processes. */
  killAll(): void
}

export function startOnHost(words: readonly string[], place: HostPlace): HostCommand {
  const [program, ...rest] = words
  const { host, programs, otherPrograms, cwd, variables } = place
  const child = spawn(join(programs, program!), rest, {
    cwd,
    env: { ...environmentOf(host, programs, otherPrograms), ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A separate process group, so that what npm leaves running can be killed with it.
    detached: true,
    ...(host.uid !== null && { uid: host.uid, gid: host.uid }),
  })
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
  return {
    pid: child.pid,
    ended: once(child, 'close').then(([code]) => code),
    output: () => output,
    untilItSays,
    signal: (signal) => child.kill(signal),
    killAll: () => killGroup(child.pid),
  }
}

function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // All processes of the group have ended.
  }
}
