// status-export/page-copy.ts: a copy of a status page as static files. Only what has changed is fetched and written, each file
// in place at once, so that whoever serves the folder never shows half of one.
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { statusPageFiles, withStaleNote } from '@pulseward/server'

/** The service does not have the page, or cannot be reached; a sentence. */
export class CopyError extends Error {}

interface Copied {
  readonly tag: string | null
  readonly bytes: Buffer
}

export class PageCopy {
  /** With its final slash. */
  readonly #url: string
  readonly #folder: string
  readonly #token: string | null
  /** By their paths below the page. */
  readonly #copied = new Map<string, Copied>()
  #isMarked = false

  /** `token`: null for a page that everybody may read. */
  constructor(url: string, folder: string, token: string | null) {
    this.#token = token
    this.#url = url
    this.#folder = folder
  }

  /** Returns how many files were written. */
  async refresh(signal: AbortSignal): Promise<number> {
    const paths = new Set(statusPageFiles(await this.#componentIds(signal)))
    let written = 0
    // Grows while it is walked: pages lead to pages of incidents and months, and to the logo.
    for (const path of paths) {
      if (await this.#copy(path, signal)) written++
      for (const linked of this.#filesLinkedFrom(path)) paths.add(linked)
    }
    for (const path of this.#copied.keys()) {
      if (paths.has(path)) continue
      this.#copied.delete(path)
      await rm(this.#placeOf(path), { force: true })
    }
    this.#isMarked = false
    return written
  }

  /** Nothing was heard of the service for a while: the page says so, rather than that all is well. */
  async markStale(sinceMs: number): Promise<void> {
    const page = this.#copied.get('')
    if (page === undefined || this.#isMarked) return
    await this.#write('', withStaleNote(page.bytes.toString('utf8'), sinceMs))
    this.#isMarked = true
  }

  async #componentIds(signal: AbortSignal): Promise<string[]> {
    const answer = await this.#get('api/v2/components.json', null, signal)
    const { components } = (await answer.json()) as { components: { id: string; group: boolean }[] }
    return components.filter(({ group }) => !group).map(({ id }) => id)
  }

  #filesLinkedFrom(path: string): string[] {
    if (path !== '' && !path.endsWith('.html')) return []
    const text = this.#copied.get(path)?.bytes.toString('utf8') ?? ''
    const links = text.matchAll(/ (?:href|src)="([^":?#]+\.(?:html|png|svg))"/g)
    return [...links].map(([, href = '']) => new URL(href, `http://page/${path}`).pathname.slice(1))
  }

  async #copy(path: string, signal: AbortSignal): Promise<boolean> {
    const known = this.#copied.get(path)
    const answer = await this.#get(path, known?.tag ?? null, signal)
    const isUnchanged = answer.status === 304
    const mustUnmark = path === '' && this.#isMarked
    if (isUnchanged && !mustUnmark) return false
    const bytes = isUnchanged ? known!.bytes : Buffer.from(await answer.arrayBuffer())
    await this.#write(path, bytes)
    this.#copied.set(path, { tag: answer.headers.get('etag'), bytes })
    return true
  }

  async #get(path: string, tag: string | null, signal: AbortSignal): Promise<Response> {
    const headers = {
      ...(tag === null ? {} : { 'if-none-match': tag }),
      ...(this.#token === null ? {} : { authorization: `Bearer ${this.#token}` }),
    }
    let answer: Response
    try {
      answer = await fetch(`${this.#url}${path}`, { headers, signal, redirect: 'error' })
    } catch (error) {
      signal.throwIfAborted()
      const { cause } = error as Error
      const why = cause instanceof Error && cause.message !== '' ? cause.message : (error as Error).message
      throw new CopyError(`${this.#url}${path} cannot be read: ${why}.`)
    }
    if (answer.ok || answer.status === 304) return answer
    await answer.body?.cancel()
    if (answer.status === 401)
      throw new CopyError(
        `${this.#url} needs a token: give --page-token-file a file with one that the page knows.`,
      )
    throw new CopyError(
      `${this.#url}${path} was answered with ${answer.status}; is there such a status page?`,
    )
  }

  async #write(path: string, bytes: string | Buffer): Promise<void> {
    const place = this.#placeOf(path)
    await mkdir(dirname(place), { recursive: true })
    await writeFile(`${place}.partial`, bytes)
    await rename(`${place}.partial`, place)
  }

  #placeOf(path: string): string {
    return join(this.#folder, path === '' ? 'index.html' : path)
  }
}
