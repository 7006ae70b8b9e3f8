// wiring/stand-by.ts: a process that shares its store with others, until it has the store: it listens, tells the others
// about itself, keeps what its fleet files say, and reads them again when they change.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { resolve } from 'node:path'
import { EarlyListener } from '../api/early-listener.ts'
import { answerAsStandby } from '../api/stand-by-answers.ts'
import { digestOfAll } from '../config/fleet-file/file-digest.ts'
import { listSources } from '../config/fleet-file/source.ts'
import { FileWatch } from '../config/fleet-file/watch-files.ts'
import { addressFromHere } from '../config/settings/listen-address.ts'
import type { ServerIdentity } from '../config/settings/server-identity.ts'
import type { Settings } from '../config/settings/setting-table.ts'
import type { Clock } from '../platform/clock.ts'
import { processFamilies } from '../projection/service-metrics.ts'
import { standbyFamilies } from '../projection/shared-metrics.ts'
import type { ProcessCard, Standing, StandingView } from '../store/standing.ts'
import type { Log } from '../telemetry/log.ts'

export interface StandByOptions {
  readonly settings: Settings
  readonly identity: ServerIdentity | null
  readonly servesV2: boolean
  readonly clock: Clock
  readonly log: Log
  readonly waits: boolean
  readonly stopped: AbortSignal
  /** Called once, when it is clear that another process has the store. */
  readonly onStandby: (standby: { readonly reload: () => Promise<void> }) => void
  /** Called several times per second while it stands by. */
  readonly whileStandby: () => void
}

export class StandBy implements Standing {
  readonly listener: EarlyListener
  readonly waits: boolean
  readonly acceptsFiles: boolean
  readonly stopped: AbortSignal
  readonly #options: StandByOptions
  readonly #place: string
  #files = ''
  readonly #seen: { view: StandingView | null }
  #watch: FileWatch | null = null
  #load: (() => Promise<unknown>) | null = null
  #isStandingBy = false

  private constructor(options: StandByOptions, listener: EarlyListener, seen: { view: StandingView | null }) {
    const { settings, waits, stopped } = options
    this.#options = options
    this.listener = listener
    this.#seen = seen
    this.waits = waits
    this.stopped = stopped
    this.acceptsFiles = settings.accept_files
    this.#place = `${hostname()} ${resolve(settings.data)}`
  }

  static async open(options: StandByOptions, owned: AsyncDisposableStack): Promise<StandBy> {
    const { settings, identity, servesV2, clock } = options
    const seen: { view: StandingView | null } = { view: null }
    const startedAtMs = clock.wallMs()
    const answer = answerAsStandby({
      view: () => seen.view,
      wallMs: () => clock.wallMs(),
      metrics: async () => [
        ...(seen.view === null ? [] : standbyFamilies(seen.view)),
        ...(await processFamilies({ edition: settings.edition, startedAtMs, lagP99Ms: () => null })),
      ],
    })
    const listener = owned.use(await EarlyListener.open(settings.listen, identity, { answer, servesV2 }))
    const standby = new StandBy(options, listener, seen)
    owned.defer(() => standby.#watch?.[Symbol.dispose]())
    return standby
  }

  card(): ProcessCard {
    const { settings } = this.#options
    const url = settings.public_url ?? addressOf(this.listener.url)
    return { name: hostname(), url, place: this.#place, files: `${this.#files}${this.#keyDigest()}` }
  }

  /** Loads the fleet files by this, now and whenever they change while it stands by. */
  async loadBy(load: () => Promise<unknown>): Promise<void> {
    await load()
    await this.noteFiles()
    this.#load = load
  }

  /** Tells the others which files are in force here. */
  async noteFiles(): Promise<void> {
    this.#files = await digestOfAll(await listSources(this.#options.settings.config))
  }

  /** The key of credentials must be alike too: a process without it could read no credential after a takeover. */
  #keyDigest(): string {
    const { settings, servesV2 } = this.#options
    if (!servesV2) return ''
    try {
      const key = readFileSync(settings.credentials_key_file ?? `${resolve(settings.data)}.key`)
      return ` ${createHash('sha256').update(key).digest('base64url')}`
    } catch {
      return ''
    }
  }

  looked(view: StandingView): void {
    const before = this.#seen.view
    this.#seen.view = view
    if (!this.#isStandingBy) this.#begin()
    this.#options.whileStandby()
    this.#tell(before, view)
  }

  /** The store is this process's own from now on. */
  taken(): void {
    this.#watch?.[Symbol.dispose]()
    this.#watch = null
    this.#load = null
    if (!this.#isStandingBy) return
    const view = this.#seen.view!
    const { active, batchAgeMs } = view
    this.#options.log.warn(
      { before: active?.name ?? null, silentSeconds: Math.round(batchAgeMs / 1_000) },
      'this process takes over, and is active from now on',
    )
    this.#seen.view = { ...view, active: null }
  }

  #begin(): void {
    const { settings, log, onStandby } = this.#options
    this.#isStandingBy = true
    const { active } = this.#seen.view!
    log.info({ listen: this.listener.url, active }, 'this process stands by: another one has the store')
    onStandby({ reload: () => this.#reload() })
    if (!settings.watch) return
    const watch = new FileWatch(settings.config)
    this.#watch = watch
    void watch.remember().then(() => watch.start(() => void this.#reload()))
  }

  async #reload(): Promise<void> {
    const { log } = this.#options
    const before = this.#files
    try {
      if (this.#load === null) return
      await this.#load()
      await this.noteFiles()
      log.info('the fleet files were read again, for when this process takes over')
    } catch (error) {
      this.#files = before
      log.error(
        `the fleet files cannot be used, and those that were read before stay: ${(error as Error).message}`,
      )
    }
  }

  #tell(before: StandingView | null, { trouble, hasSameFiles, active }: StandingView): void {
    const { log } = this.#options
    if (trouble !== null && (before?.trouble ?? null) === null)
      log.error(
        { problem: trouble.problem },
        `${trouble.message} This process cannot take over until that is mended.`,
      )
    if (trouble === null && (before?.trouble ?? null) !== null) log.info('the store can be read again')
    if (!hasSameFiles && before?.hasSameFiles !== false)
      log.error(
        { active },
        'the fleet files or the key of credentials here are not those of the active process, so this one does not take over: make them alike, or start it with --accept-files',
      )
    if (hasSameFiles && before?.hasSameFiles === false)
      log.info('the fleet files are those of the active process again')
  }
}

/** A process that listens on all addresses is reached by the name of its machine. */
function addressOf(url: string): string {
  const isEverywhere = addressFromHere(url) !== url
  return isEverywhere ? url.replace(/\/\/(0\.0\.0\.0|\[::\]):/, `//${hostname()}:`) : url
}
