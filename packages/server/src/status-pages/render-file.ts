// status-pages/render-file.ts: which files a page has, by their paths below its address.
import { feedAt } from './machine/feeds.ts'
import { statuspageJson, statuspagePaths } from './machine/statuspage-json.ts'
import { historyPageAt } from './page/history-html.ts'
import { htmlPage } from './page/html-page.ts'
import { incidentPageAt } from './page/incident-html.ts'
import { logoAt } from './page/page-logo.ts'
import type { PageView } from './page-view.ts'
import type { Rendered } from './ready-file.ts'

const jsonPaths: ReadonlySet<string> = new Set(statuspagePaths)
const feedNames = ['feed.atom', 'feed.rss', 'history.atom', 'history.rss'] as const

/** Null if the page has no such file. */
export function renderFile(view: PageView, path: string): Rendered | null {
  if (path === '') return htmlPage(view)
  if (jsonPaths.has(path)) return statuspageJson(view, path)
  return logoAt(view, path) ?? incidentPageAt(view, path) ?? historyPageAt(view, path) ?? feedAt(view, path)
}

/** The files of a page with these components, but for what its HTML leads to: history, incidents and the logo. */
export function* filePaths(componentIds: Iterable<string>): Generator<string> {
  yield ''
  yield* statuspagePaths
  yield* feedNames
  for (const id of componentIds) for (const name of feedNames) yield `components/${id}/${name}`
}
