// status-pages/page-content.ts: the files of a page at one moment. Each is rendered and compressed when it is first asked
// for, and is ready bytes from then on.
import type { PageView } from './page-view.ts'
import { type ReadyFile, type Rendered, readyFile } from './ready-file.ts'

/** The file at a path below the address of the page; null if there is none. */
export type RenderFile = (view: PageView, path: string) => Rendered | null

export class PageContent {
  readonly view: PageView
  readonly #render: RenderFile
  readonly #files = new Map<string, ReadyFile | Promise<ReadyFile>>()

  constructor(view: PageView, render: RenderFile) {
    this.view = view
    this.#render = render
  }

  file(path: string): ReadyFile | Promise<ReadyFile> | null {
    const known = this.#files.get(path)
    if (known !== undefined) return known
    const rendered = this.#render(this.view, path)
    if (rendered === null) return null
    const made = readyFile(rendered).then((file) => {
      this.#files.set(path, file)
      return file
    })
    this.#files.set(path, made)
    return made
  }
}
