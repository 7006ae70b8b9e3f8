// recovery/command/command.ts: runs a program of the operator's choice with an argument vector, only if the
// settings allow it. There is no shell, no input, and only the part of our environment that programs cannot
// do without. The output is not read, because it may hold secrets; the exit code is the answer. At the
// deadline the whole process group is killed.
import type { ChildProcess } from 'node:child_process'
import { type ActionOutcome, accepted, rejected, unknown } from '../../platform/action-outcome.ts'
import { closed } from '../../platform/schema.ts'
import { Type } from '../../platform/schema-type.ts'
import { durationInWords, quote } from '../../platform/wording.ts'
import { defineRecovery, type Intervention, type RecoveryRun } from '../driver.ts'

export const command = defineRecovery({
  summary: 'Runs a program with an argument vector, never a shell; must be allowed in the settings.',
  config: closed({
    argv: Type.Array(Type.String({ minLength: 1 }), {
      minItems: 1,
      maxItems: 64,
      description: 'The program and its arguments.',
    }),
  }),
  actsHere: () => true,
  target: ({ argv }) => programOf(argv),
  targetKey: ({ argv }) => JSON.stringify(argv),
  async recover({ argv }, intervention, run) {
    const { startProgram, signal } = run
    if (startProgram === null) {
      return rejected('programs may not be run unless recovery.allow_command is set')
    }
    if (signal.aborted) return rejected('no time was left to start the program')
    let child: ChildProcess
    try {
      const [program = '', ...programArguments] = argv
      child = startProgram(program, programArguments, {
        env: environmentFor(intervention),
        stdio: 'ignore',
        // A separate process group, so that everything the program starts can be killed with it.
        detached: true,
        windowsHide: true,
      })
    } catch (error) {
      return notStarted(argv, error)
    }
    return await ended(child, argv, run)
  },
})

function ended(child: ChildProcess, argv: readonly string[], run: RecoveryRun): Promise<ActionOutcome> {
  const program = programOf(argv)
  return new Promise((resolve) => {
    const end = (outcome: ActionOutcome): void => {
      run.signal.removeEventListener('abort', expire)
      resolve(outcome)
    }
    const expire = (): void => {
      killGroup(child)
      end(unknown(`${program} did not end within ${durationInWords(run.timeoutMs)} and was killed`))
    }
    child.on('error', (error) => end(notStarted(argv, error)))
    child.on('exit', (code, signal) => {
      if (code === 0) end(accepted())
      else if (code !== null) end(rejected(`${program} ended with exit code ${code}`))
      else end(unknown(`${program} was ended by ${signal}`))
    })
    run.signal.addEventListener('abort', expire)
  })
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    if (process.platform === 'win32') child.kill('SIGKILL')
    else process.kill(-child.pid, 'SIGKILL')
  } catch {
    // The program has just ended.
  }
}

function notStarted(argv: readonly string[], error: unknown): ActionOutcome {
  const { code } = error as NodeJS.ErrnoException
  const words = code === 'ENOENT' ? 'does not exist' : `could not be started (${code ?? 'no reason given'})`
  return rejected(`${programOf(argv)} ${words}`)
}

/** Arguments are not shown: they may hold secrets. */
function programOf(argv: readonly string[]): string {
  return quote(argv[0] ?? '').slice(1, -1)
}

/** What programs cannot do without; everything else in our environment may hold credentials. */
const INHERITED = ['PATH', 'HOME', 'USER', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'SystemRoot', 'TEMP']

function environmentFor(intervention: Intervention): Record<string, string> {
  const inherited = INHERITED.flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return {
    ...Object.fromEntries(inherited),
    PULSEWARD_MONITOR_ID: withoutNul(intervention.monitorId),
    PULSEWARD_MONITOR: withoutNul(intervention.monitor),
    PULSEWARD_ACTION_ID: withoutNul(intervention.actionId),
    PULSEWARD_INCIDENT_ID: withoutNul(intervention.incidentId ?? ''),
  }
}

/** The one character that an environment cannot hold. */
function withoutNul(text: string): string {
  return text.replaceAll('\0', ' ')
}
