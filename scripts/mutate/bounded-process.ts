// scripts/mutate/bounded-process.ts: a process that may hang because of a mutant. It is killed with all its
// child processes when its time is up, and when this process ends.
import { spawn } from 'node:child_process'

export interface Ended {
  /** Null if it was killed, by the time limit or by a signal. */
  readonly code: number | null
  readonly output: string
  readonly ms: number
}

const running = new Set<number>()
process.once('exit', () => {
  for (const pid of running) killGroup(pid)
})

export function runBounded(words: readonly string[], cwd: string, timeoutMs: number): Promise<Ended> {
  const startedMs = performance.now()
  const child = spawn(process.execPath, words, {
    cwd,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1' },
  })
  const { promise, resolve, reject } = Promise.withResolvers<Ended>()
  const pid = child.pid
  if (pid !== undefined) running.add(pid)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-mostOutput)
    })
  const timer = setTimeout(() => killGroup(pid!), timeoutMs)
  child.once('error', reject)
  child.once('close', (code) => {
    clearTimeout(timer)
    if (pid !== undefined) {
      // Its child processes may outlive it.
      killGroup(pid)
      running.delete(pid)
    }
    resolve({ code, output, ms: performance.now() - startedMs })
  })
  return promise
}

const mostOutput = 20_000

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
