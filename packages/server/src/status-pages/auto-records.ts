// status-pages/auto-records.ts: the incidents that pages published by themselves, in memory and in a file of the data
// directory, which is replaced as a whole: they are few. They hold no text and nothing of a monitor.
import { readFileSync } from 'node:fs'
import { replaceFileAsync } from '../platform/replace-file.ts'
import type { Log } from '../telemetry/log.ts'

export interface AutoIncident {
  readonly page: string
  readonly component: string
  /** Since when it was down. With the page and the component it is the name of the incident. */
  readonly startedAtMs: number
  readonly publishedAtMs: number
  /** Null while it lasts. */
  readonly resolvedAtMs: number | null
  readonly state: 'partial_outage' | 'major_outage'
}

export interface AutoRecordsOptions {
  /** Null if nothing outlives the process. */
  readonly file: string | null
  readonly log: Log
}

const keptMs = 400 * 86_400_000
/** Of all pages: a component that goes up and down all day must not fill memory. */
const mostKept = 2_000
const fileFormat = 1

export class AutoRecords {
  readonly #options: AutoRecordsOptions
  /** In the order in which they were published. */
  readonly #incidents = new Map<string, AutoIncident>()
  #version = 0
  #savedVersion = 0
  #saving: Promise<void> | null = null
  #hasFailed = false

  constructor(options: AutoRecordsOptions) {
    this.#options = options
    for (const incident of this.#read()) this.#incidents.set(keyOf(incident), incident)
  }

  /** Rises with every change. */
  get version(): number {
    return this.#version
  }

  of(page: string): AutoIncident[] {
    return [...this.#incidents.values()].filter((one) => one.page === page)
  }

  open(): AutoIncident[] {
    return [...this.#incidents.values()].filter(({ resolvedAtMs }) => resolvedAtMs === null)
  }

  openOf(page: string, component: string): AutoIncident | null {
    return this.open().find((one) => one.page === page && one.component === component) ?? null
  }

  put(incident: AutoIncident): void {
    const known = this.#incidents.get(keyOf(incident))
    // What is over stays over: the same outage is not told twice.
    if (known !== undefined && known.resolvedAtMs !== null) return
    this.#incidents.set(keyOf(incident), incident)
    this.#version++
  }

  remove(incident: AutoIncident): void {
    if (this.#incidents.delete(keyOf(incident))) this.#version++
  }

  /** Writes what has changed. What cannot be written is tried again by the next call. */
  save(nowMs: number): void {
    const { file, log } = this.#options
    if (file === null || this.#version === this.#savedVersion || this.#saving !== null) return
    this.#forget(nowMs)
    const version = this.#version
    const text = JSON.stringify({ format: fileFormat, incidents: [...this.#incidents.values()] })
    this.#saving = replaceFileAsync(file, text)
      .then(() => {
        this.#savedVersion = version
        this.#hasFailed = false
      })
      .catch((error: unknown) => {
        if (!this.#hasFailed)
          log.error(
            { file, error },
            'incidents that status pages published by themselves could not be stored; this is tried again',
          )
        this.#hasFailed = true
      })
      .finally(() => {
        this.#saving = null
      })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#saving
  }

  #forget(nowMs: number): void {
    const over = [...this.#incidents.values()].filter(({ resolvedAtMs }) => resolvedAtMs !== null)
    const tooMany = Math.max(0, this.#incidents.size - mostKept)
    for (const [place, one] of over.entries())
      if (place < tooMany || nowMs - one.resolvedAtMs! > keptMs) this.#incidents.delete(keyOf(one))
  }

  /** A file that cannot be read is left alone until something is published: pages work without it. */
  #read(): AutoIncident[] {
    const { file, log } = this.#options
    if (file === null) return []
    try {
      const read: unknown = JSON.parse(readFileSync(file, 'utf8'))
      const { format, incidents } = read as { format?: unknown; incidents?: unknown }
      if (format === fileFormat && Array.isArray(incidents)) return incidents as AutoIncident[]
      throw new Error('it is not of this version')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
        log.error(
          { file, error },
          'incidents that status pages published by themselves could not be read; pages go on without them',
        )
      return []
    }
  }
}

/** Ids of pages and components have no space. */
function keyOf({ page, component, startedAtMs }: AutoIncident): string {
  return `${page} ${component} ${startedAtMs}`
}
