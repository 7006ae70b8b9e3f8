// fleet/reloader.ts: puts changed fleet files into force, as a whole or not at all. One reload at a time; all
// requests that come meanwhile are answered by one more reload afterwards.

import { FleetFileError } from '../config/fleet-file/load-fleet.ts'
import { SourceError } from '../config/fleet-file/source.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../telemetry/log.ts'
import type { ChangeReport } from './fleet-change.ts'
import type { ReloadedFleet } from './load-arrangement.ts'

export interface LastReload {
  readonly successful: boolean
  /** Epoch milliseconds. */
  readonly atMs: number
}

/** How the files were last read. The service starts only with files that it could read. */
export class ReloadRecord {
  readonly #clock: Clock
  #last: LastReload

  constructor(clock: Clock) {
    this.#clock = clock
    this.#last = { successful: true, atMs: clock.wallMs() }
  }

  get last(): LastReload {
    return this.#last
  }

  note(successful: boolean): void {
    this.#last = { successful, atMs: this.#clock.wallMs() }
  }
}

export type ReloadResult =
  | { readonly applied: true; readonly report: ChangeReport }
  | { readonly applied: false; readonly message: string }

export interface ReloaderOptions {
  /** Reads the files over the running fleet. */
  readonly load: () => Promise<ReloadedFleet>
  readonly apply: (loaded: ReloadedFleet) => void
  readonly record: ReloadRecord
  readonly log: Log
}

/** Mistakes that are logged one by one; `pulseward validate` shows them all. */
const shownMistakes = 20

export class Reloader {
  readonly #options: ReloaderOptions
  #running: Promise<ReloadResult> | null = null
  #next: Promise<ReloadResult> | null = null

  constructor(options: ReloaderOptions) {
    this.#options = options
  }

  reload(): Promise<ReloadResult> {
    if (this.#running === null) {
      this.#running = this.#run().finally(() => {
        this.#running = null
      })
      return this.#running
    }
    const again = () => {
      this.#next = null
      return this.reload()
    }
    this.#next ??= this.#running.then(again, again)
    return this.#next
  }

  async #run(): Promise<ReloadResult> {
    const { load, apply, record, log } = this.#options
    let loaded: ReloadedFleet
    try {
      loaded = await load()
    } catch (error) {
      return this.#refuse(error as Error)
    }
    // Not caught: the service must not continue with a half-applied fleet.
    apply(loaded)
    record.note(true)
    const { report } = loaded
    log.info(report, 'the fleet was reloaded')
    return { applied: true, report }
  }

  /** Nothing was changed yet, so the fleet keeps running whatever went wrong with reading. */
  #refuse(error: Error): ReloadResult {
    const { record, log } = this.#options
    record.note(false)
    const mistakes = error instanceof FleetFileError ? error.mistakes : []
    for (const { file, line, path, message } of mistakes.slice(0, shownMistakes))
      log.error({ file, line, path }, message)
    const isExpected = error instanceof FleetFileError || error instanceof SourceError
    log.error(
      isExpected ? {} : { error },
      `the fleet was not reloaded and goes on as before: ${error.message}`,
    )
    return { applied: false, message: error.message }
  }
}
