// worker-process.fixture.ts: runs a worker in a separate process, for tests that kill it. Run as a program, it is that
// worker: its handlers log their start and end to a file, and a job's parameters say how long it takes.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { completed, createWorker, type Job, recovery, success } from './index.ts'

export interface WorkerProcessOptions {
  readonly url: string
  readonly token: string
  readonly journal: string
  /** The file to which handlers log their start and end. */
  readonly audit: string
}

export interface WorkerProcess extends AsyncDisposable {
  readonly child: ChildProcess
  /** What it has logged so far. */
  log(): string
  /** Its exit code, or the signal that ended it. */
  ended(): Promise<number | string>
}

export function startWorkerProcess(options: WorkerProcessOptions): WorkerProcess {
  const words = ['--disable-warning=ExperimentalWarning', import.meta.filename, JSON.stringify(options)]
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'inherit', 'pipe'] })
  let log = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    log += text
  })
  const ended = once(child, 'exit').then(([code, signal]) => code ?? signal)
  return {
    child,
    log: () => log,
    ended: () => ended,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** The executions that handlers started, and those that they ended, in order. */
export function readAudit(path: string): {
  readonly began: readonly string[]
  readonly ended: readonly string[]
} {
  const lines = existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : []
  const of = (word: string) =>
    lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.split(' ')[1] ?? '')
  return { began: of('began'), ended: of('ended') }
}

if (import.meta.main) {
  const { url, token, journal, audit }: WorkerProcessOptions = JSON.parse(process.argv[2] ?? '{}')
  const work = async (job: Job) => {
    appendFileSync(audit, `began ${job.executionID}\n`)
    await delay(Number(job.parameters))
    appendFileSync(audit, `ended ${job.executionID}\n`)
  }
  const worker = createWorker({
    server: url,
    token,
    journal,
    handlers: {
      'echo@1': async (job) => {
        await work(job)
        return success(job.executionID)
      },
      'restart@1': recovery({}, async (job) => {
        await work(job)
        return completed()
      }),
    },
  })
  await worker.start()
}
