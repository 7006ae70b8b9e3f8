// process/service-in-process.ts: what `pulseward serve` runs, but in the process of the test, for a quarter
// of the CPU time. For tests of neither signals nor printed output:
// `await using service = await serveInProcess(['--edition', 'next', '--data', folder])`.
import { type App, startApp, systemClock } from '@pulseward/server'
import { readToken } from '@pulseward/server/internal/config/settings/token.ts'
import { type Log, silentLog } from '@pulseward/server/internal/telemetry/log.ts'
import { parseArguments } from 'pulseward/src/arguments.ts'
import { settingFlags, settingsFrom } from 'pulseward/src/setting-flags.ts'
import { temporaryFolder } from '../files/temporary-folder.ts'
import { stateIn } from './service-state.ts'

export interface ServiceInProcess extends App {
  /** As `level: sentence`, from level info up. */
  readonly logged: readonly string[]
}

/** Uses a free port and a temporary data folder, unless the arguments name others. */
export async function serveInProcess(
  words: readonly string[],
  { environment = {} }: { readonly environment?: NodeJS.ProcessEnv } = {},
): Promise<ServiceInProcess> {
  await using owned = new AsyncDisposableStack()
  const folder = owned.use(temporaryFolder())
  const given = {
    PULSEWARD_LISTEN: '127.0.0.1:0',
    ...stateIn(folder.path('data'), words, environment),
    ...environment,
  }
  const { values: settings } = settingsFrom(parseArguments(words, settingFlags), given)
  const token = readToken(settings.token_file, given, () => {})
  const logged: string[] = []
  const log = logInto(logged)
  const app = owned.use(await startApp({ settings, token, environment: given, clock: systemClock, log }))
  const started = owned.move()
  return { ...app, logged, [Symbol.asyncDispose]: () => started.disposeAsync() }
}

function logInto(lines: string[]): Log {
  const level =
    (name: string) =>
    (first: unknown, message: unknown = first) => {
      lines.push(`${name}: ${String(message)}`)
    }
  return Object.assign(Object.create(silentLog) as Log, {
    info: level('info'),
    warn: level('warn'),
    error: level('error'),
  })
}
