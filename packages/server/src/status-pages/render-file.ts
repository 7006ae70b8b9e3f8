// status-pages/render-file.ts: which files a page has, by their paths below its address.
import { htmlPage } from './page/html-page.ts'
import type { PageView } from './page-view.ts'
import type { Rendered } from './ready-file.ts'

const files: Readonly<Record<string, (view: PageView) => Rendered>> = {
  '': htmlPage,
}

/** Null if the page has no such file. */
export function renderFile(view: PageView, path: string): Rendered | null {
  return Object.hasOwn(files, path) ? (files[path]?.(view) ?? null) : null
}
