// app.ts: the one place where everything is wired, in the order of the flow. What is made is owned at once, so
// that a failure half-way closes all that was opened before it, in reverse.
import { startApi } from './api/server.ts'
import { checks } from './checks/registry.ts'
import { FileWatch } from './config/fleet-file/watch-files.ts'
import { isLoopback, parseListenAddress } from './config/settings/listen-address.ts'
import type { Settings } from './config/settings/setting-table.ts'
import { chooseEdition } from './editions/choose-edition.ts'
import type { ArrangedBefore } from './fleet/arrangement.ts'
import { Fleet } from './fleet/fleet.ts'
import { type LoadedArrangement, loadArrangement } from './fleet/load-arrangement.ts'
import { Reloader, type ReloadResult } from './fleet/reloader.ts'
import type { Clock } from './platform/clock.ts'
import { UsageError } from './platform/usage-error.ts'
import type { Log } from './telemetry/log.ts'
import { Progress } from './telemetry/progress.ts'

export interface AppOptions {
  readonly settings: Settings
  readonly token: string | null
  readonly environment: NodeJS.ProcessEnv
  readonly clock: Clock
  readonly log: Log
}

export interface App {
  readonly url: string
  readonly monitors: number
  readonly dataPlace: string
  reload(): Promise<ReloadResult>
  [Symbol.asyncDispose](): Promise<void>
}

export async function startApp({ settings, token, environment, clock, log }: AppOptions): Promise<App> {
  const listen = parseListenAddress(settings.listen)
  if (token === null && !isLoopback(listen.host)) {
    throw new UsageError(
      `Listening on ${listen.host} reaches beyond this machine and needs a token: pass --token-file.`,
    )
  }
  const buildEdition = chooseEdition(settings.edition)
  const load = (before: ArrangedBefore | null) =>
    loadArrangement({ paths: settings.config, allowEmpty: settings.allow_empty, environment, before })

  await using owned = new AsyncDisposableStack()
  const fleet = new Fleet(Object.keys(checks))
  const { arrangement } = await load(null)
  fleet.apply(arrangement)

  const progress = owned.use(new Progress(clock))
  const edition = owned.use(buildEdition({ settings, clock, fleet, progress, admitted: () => true }))
  const apply = (loaded: LoadedArrangement) => fleet.apply(loaded.arrangement)
  const reloader = new Reloader({
    load: () => load({ definition: fleet.definition, present: fleet.present }),
    apply,
    log,
  })
  const api = owned.use(await startApi({ listen, token, routes: edition.routes, clock, log }))
  edition.start()
  if (settings.watch) await owned.use(new FileWatch(settings.config, () => void reloader.reload())).start()

  const opened = owned.move()
  return {
    url: api.url,
    monitors: fleet.counts.total,
    dataPlace: edition.dataPlace,
    reload: () => reloader.reload(),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
