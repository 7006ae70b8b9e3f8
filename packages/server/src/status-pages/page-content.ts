// status-pages/page-content.ts: the files of a page at one moment. Each is rendered and compressed when it is first asked
// for, and is ready bytes from then on.
import type { PageView } from './page-view.ts'
import { type ReadyFile, readyFile } from './ready-file.ts'
import { renderFile } from './render-file.ts'

export class PageContent {
  readonly view: PageView
  readonly #files = new Map<string, ReadyFile | Promise<ReadyFile>>()

  constructor(view: PageView) {
    this.view = view
  }

  /** The path as it follows the address of the page; null if the page has no such file. */
  file(path: string): ReadyFile | Promise<ReadyFile> | null {
    const known = this.#files.get(path)
    if (known !== undefined) return known
    const rendered = renderFile(this.view, path)
    if (rendered === null) return null
    const made = readyFile(rendered).then((file) => {
      this.#files.set(path, file)
      return file
    })
    this.#files.set(path, made)
    return made
  }
}
