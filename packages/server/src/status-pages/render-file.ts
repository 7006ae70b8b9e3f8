// status-pages/render-file.ts: which files a page has, by their paths below its address.
import { feedAt } from './machine/feeds.ts'
import { statuspageJson, statuspagePaths } from './machine/statuspage-json.ts'
import { htmlPage } from './page/html-page.ts'
import type { PageView } from './page-view.ts'
import type { Rendered } from './ready-file.ts'

const jsonPaths: ReadonlySet<string> = new Set(statuspagePaths)
const feedNames = ['feed.atom', 'feed.rss', 'history.atom', 'history.rss'] as const

/** Null if the page has no such file. */
export function renderFile(view: PageView, path: string): Rendered | null {
  if (path === '') return htmlPage(view)
  return jsonPaths.has(path) ? statuspageJson(view, path) : feedAt(view, path)
}

/** All files of a page with these components. */
export function* filePaths(componentIds: Iterable<string>): Generator<string> {
  yield ''
  yield* statuspagePaths
  yield* feedNames
  for (const id of componentIds) for (const name of feedNames) yield `components/${id}/${name}`
}
