// scripts/docs/build-site.ts: the documentation as a folder of files that any web server can serve. The
// folder contains everything that a page needs: style, script, icon and the search index.
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import MiniSearch from 'minisearch'
import { rolldown } from 'rolldown'
import { decisionList, decisionListSource } from './decision-list.ts'
import { navigation } from './navigation.ts'
import { type Entry, pageHtml } from './page-html.ts'
import { type RenderedPage, renderMarkdown } from './render-markdown.ts'
import { type SearchEntry, searchOptions } from './search.ts'
import { SiteLinks } from './site-links.ts'
import { sitePages } from './site-pages.ts'

export interface BuiltSite {
  readonly pageCount: number
  /** A sentence for each broken link. */
  readonly brokenLinks: readonly string[]
}

/** On these pages every message, option and setting is a separate search result. */
const pagesOfRows =
  /^docs\/generated\/(?:messages|checks|recoveries|notifications)\/|^docs\/generated\/(?:settings|fleet-file)\.md$/
const excerptLength = 160

interface Page extends RenderedPage {
  readonly document: string
  readonly path: string
}

export async function buildSite(root: string, folder: string): Promise<BuiltSite> {
  const paths = sitePages(root)
  const links = new SiteLinks(root, paths)
  const pages = [...paths].map(([document, path]): Page => {
    const source =
      document === decisionList
        ? decisionListSource(root, paths.keys())
        : readFileSync(join(root, document), 'utf8')
    const resolve = (target: string) => links.resolve(document, target)
    const rowsAreFound = pagesOfRows.test(document)
    return { document, path, ...renderMarkdown(source, { resolve, rowsAreFound }) }
  })
  rmSync(folder, { recursive: true, force: true })
  const write = (path: string, content: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  const sections = shownSections(pages)
  for (const { path: page, title, html, headings } of pages)
    write(page, pageHtml({ page, title, html, headings, sections }))
  write('search-index.json', JSON.stringify(searchIndex(pages)))
  write('assets/page.js', await pageScript())
  write('assets/site.css', siteStyle())
  for (const [file, place] of links.copies) {
    mkdirSync(dirname(join(folder, place)), { recursive: true })
    copyFileSync(join(root, file), join(folder, place))
  }
  copyFileSync(join(dashboard, 'public/theme.js'), join(folder, 'assets/theme.js'))
  copyFileSync(join(dashboard, 'src/favicon.svg'), join(folder, 'assets/favicon.svg'))
  const anchors = pages.map(({ path, texts }) => [path, new Set(texts.map(({ anchor }) => anchor))] as const)
  return { pageCount: pages.length, brokenLinks: links.broken(new Map(anchors)) }
}

/** The site uses the colors of the dashboard. */
const dashboard = join(import.meta.dirname, '../../packages/dashboard')

function siteStyle(): string {
  const own = ['text.css', 'frame.css'].map((name) => join(import.meta.dirname, 'browser', name))
  const files = [join(dashboard, 'src/tokens.css'), ...own]
  return files.map((file) => readFileSync(file, 'utf8')).join('\n')
}

async function pageScript(): Promise<string> {
  const bundle = await rolldown({ input: join(import.meta.dirname, 'browser/page.ts'), platform: 'browser' })
  const { output } = await bundle.generate({ format: 'iife', minify: true })
  await bundle.close()
  return output[0].code
}

function shownSections(pages: readonly Page[]) {
  const byDocument = new Map(pages.map((page) => [page.document, page]))
  return navigation(new Set(byDocument.keys())).map(({ title, documents }) => ({
    title,
    entries: documents.map((document): Entry => {
      const page = byDocument.get(document)!
      return { title: page.title, page: page.path }
    }),
  }))
}

function searchIndex(pages: readonly Page[]): MiniSearch<SearchEntry> {
  const index = new MiniSearch<SearchEntry>(searchOptions)
  const entries = pages.flatMap(({ path, title, texts }) =>
    texts.map(({ anchor, heading, text }) => ({ path: `${path}#${anchor}`, page: title, heading, text })),
  )
  index.addAll(
    entries.map((entry, id) => ({ id, ...entry, excerpt: entry.text.trim().slice(0, excerptLength) })),
  )
  return index
}
