// commands/run.ts: runs a job and reports its start and its end to a push monitor. The job comes first: whatever is wrong
// with the report, the job runs, and its exit code is the one of this command.
import { randomUUID } from 'node:crypto'
import { UsageError } from '@pulseward/server'
import { lastValue, type ParsedArguments } from '../arguments.ts'
import { targetFlags, targetFrom } from '../client/target.ts'
import { trustOnly } from '../client/trust-only.ts'
import type { Command } from '../command.ts'
import { keyInFile, keyInVariable, NoKey, usualVariable } from '../push-run/push-key.ts'
import { runJob } from '../push-run/run-job.ts'
import { RunReporter } from '../push-run/run-reporter.ts'
import type { Terminal } from '../terminal.ts'

/** Where the launcher (bin/launch.js) leaves the names of variables that it set. */
const ofOurRuntime = Symbol.for('pulseward.ownVariables')

export const run: Command = {
  summary: 'run a job and report its start and end to a push monitor',
  usage: `[--key-file FILE|--key-env NAME] [--server URL] -- COMMAND [ARGUMENT]...

The job runs whatever is wrong with the report, and its exit code is the one of this command: 128 and the number of
a signal that ended it, 127 if there is no such command, 126 if it cannot be executed. A service that cannot be
reached is tried again for 60 s. The last 10 kB that the job writes to stderr are reported too.`,
  flags: {
    'key-file': {
      kind: 'value',
      valueName: 'FILE',
      summary: 'File with the key of the push monitor.',
    },
    'key-env': {
      kind: 'value',
      valueName: 'NAME',
      summary: `Variable with the key; the job does not inherit it. Default ${usualVariable}.`,
    },
    server: targetFlags['server']!,
    context: targetFlags['context']!,
    'ca-file': targetFlags['ca-file']!,
  },
  examples: [
    'pulseward run --key-file /etc/pulseward/backup.key --server https://pulseward.example -- /usr/local/bin/backup --all',
    `${usualVariable}=… pulseward run -- rsync -a /srv/ backup:/srv/`,
  ],
  async run(parsed, terminal) {
    const [program, ...rest] = parsed.operands
    if (program === undefined)
      throw new UsageError('Name the command to run after --: pulseward run --key-file FILE -- COMMAND')
    const say = (sentence: string): void => void terminal.stderr.write(`pulseward: ${sentence}.\n`)
    const reporter = reporterFor(parsed, terminal, say)
    reporter?.started()
    const environment = environmentOfJob(parsed, terminal)
    const { code, output } = await runJob({ words: [program, ...rest], environment, stderr: terminal.stderr })
    if (reporter !== null) await untilToldOrInterrupted(reporter, code, output)
    return code
  },
}

/** Null if nothing can be reported, which is said. */
function reporterFor(
  parsed: ParsedArguments,
  terminal: Terminal,
  say: (sentence: string) => void,
): RunReporter | null {
  try {
    const key = keyFrom(parsed, terminal)
    const { server, caFile } = targetFrom(parsed, terminal)
    const url = URL.parse(server)
    if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.search !== '')
      throw new NoKey('the address of the service is not an http or https URL without user and query')
    if (caFile !== null) trustOnly(caFile)
    return new RunReporter({ server: `${url.origin}${url.pathname}`, key, id: randomUUID() }, say)
  } catch (error) {
    if (!(error instanceof NoKey || error instanceof UsageError)) throw error
    say(`the job runs, but nothing is reported: ${error.message.replace(/\.$/, '')}`)
    return null
  }
}

function keyFrom(parsed: ParsedArguments, { environment }: Terminal): string {
  const file = lastValue(parsed, 'key-file')
  const variable = lastValue(parsed, 'key-env')
  if (file !== null && variable !== null)
    throw new NoKey('--key-file and --key-env name a key each; leave one of them out')
  return file === null ? keyInVariable(variable, environment) : keyInFile(file)
}

/** As the job would have had it without us: without the key, and without what the launcher set for our own runtime. */
function environmentOfJob(parsed: ParsedArguments, { environment }: Terminal): NodeJS.ProcessEnv {
  const ofRuntime = (globalThis as Record<symbol, unknown>)[ofOurRuntime]
  const left = new Set([
    ...(Array.isArray(ofRuntime) ? ofRuntime : []),
    usualVariable,
    lastValue(parsed, 'key-env') ?? usualVariable,
  ])
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !left.has(name)))
}

async function untilToldOrInterrupted(reporter: RunReporter, code: number, output: Buffer): Promise<void> {
  const giveUp = (): void => reporter.giveUp()
  const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const
  for (const signal of signals) process.on(signal, giveUp)
  await reporter.ended(code, output)
  for (const signal of signals) process.off(signal, giveUp)
}
