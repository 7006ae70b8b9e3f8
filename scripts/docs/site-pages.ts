// scripts/docs/site-pages.ts: which documents of the repository are pages of the site, and their paths. Pages
// are found, not listed: a document that is added under docs/ is on the site without another edit.
import { globSync } from 'node:fs'
import { posix, sep } from 'node:path'
import { decisionList } from './decision-list.ts'

/** Documents outside of docs/ that readers of the site need too. */
const otherDocuments = ['*.md', 'packages/*/README.md', 'examples/**/README.md']
/** Not a page, since its content is on the pages that it links to; links to it lead to the first page. */
const readme = 'README.md'

/** Document to page, both as paths with slashes: `docs/metrics.md` to `metrics.html`. */
export function sitePages(root: string): Map<string, string> {
  const found = globSync(['docs/**/*.md', ...otherDocuments], {
    cwd: root,
    exclude: (path) => /(^|[/\\])node_modules$/.test(path),
  })
  const documents = [...found.map((path) => path.split(sep).join('/')), decisionList].sort()
  const pages = documents.map((document) => [document, pagePath(document)] as const)
  return new Map(pages.filter(([document]) => document !== readme))
}

function pagePath(document: string): string {
  if (document.startsWith('docs/')) return document.slice('docs/'.length).replace(/\.md$/, '.html')
  const name = document.endsWith(`/${readme}`) ? posix.dirname(document) : document.replace(/\.md$/, '')
  return `project/${name.toLowerCase()}.html`
}

/** The page that a link to the README of the repository leads to. */
export const firstPage = 'index.html'
export const repositoryReadme = readme
