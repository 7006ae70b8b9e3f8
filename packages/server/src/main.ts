// main.ts: from settings to a running service and back: starts the app, says where it is, and turns signals
// into a reload or a stop. Signals that come within a second count once; a later one ends at once.
import { flushCompileCache } from 'node:module'
import { type App, startApp } from './app.ts'
import type { ResolvedSettings } from './config/settings/resolve-settings.ts'
import type { Settings } from './config/settings/setting-table.ts'
import { readToken } from './config/settings/token.ts'
import { systemClock } from './platform/clock.ts'
import { createLog } from './telemetry/log.ts'

const oneSignalMs = 1000

/** Opens what the service is to stand on and answers with the settings that follow; what is owned closes after it. */
export type Prepare = (owned: AsyncDisposableStack) => Promise<Partial<Settings>>

/** Runs until it is told to stop. */
export async function serve(
  { values, notInForce }: ResolvedSettings,
  environment: NodeJS.ProcessEnv,
  prepare: Prepare = async () => ({}),
): Promise<void> {
  const log = await createLog({ level: values['log.level'], format: values['log.format'] })
  const token = readToken(values.token_file, environment)
  for (const key of notInForce)
    log.warn({ setting: key }, 'this setting is accepted but steers nothing in this version')
  // Armed before anything is opened, so that an early signal still unwinds, and an early reload does no harm.
  const stop = awaitStop()
  let reload = () => {}
  process.on('SIGHUP', () => reload())
  await using owned = new AsyncDisposableStack()
  const settings = { ...values, ...(await prepare(owned)) }
  await using app = await startApp({ settings, token, environment, clock: systemClock, log })
  reload = () => void app.reload()
  process.stdout.write(banner(app, settings.edition))
  // Now and not only at the end: the next start is faster and smaller also after a kill.
  flushCompileCache()
  await stop
}

function banner(app: App, edition: string): string {
  const monitors = `${app.monitors} ${app.monitors === 1 ? 'monitor' : 'monitors'}`
  const lines = [
    `Pulseward  ${app.url}`,
    `Edition    ${edition}`,
    `Fleet      ${monitors}`,
    `Data       ${app.dataPlace}`,
    'Stop       Ctrl+C',
  ]
  return `${lines.join('\n')}\n`
}

function awaitStop(): Promise<void> {
  return new Promise((resolve) => {
    let firstAt: number | null = null
    const onSignal = () => {
      const now = performance.now()
      if (firstAt === null) {
        firstAt = now
        resolve()
      } else if (now - firstAt > oneSignalMs) process.exit(1)
    }
    process.on('SIGINT', onSignal)
    process.on('SIGTERM', onSignal)
  })
}
