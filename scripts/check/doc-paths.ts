// scripts/check/doc-paths.ts: every path that the documents at the root and under docs/ name must exist.
// Checks links and inline code, not fenced blocks. A path may be relative to the root, the document,
// packages/ or the server's sources (`deciding/health/transition.ts`). A file that a document shows in full,
// in a block below its name, is for the reader to write and need not exist. Nor need build output: a folder
// that .gitignore names, in a folder that exists, so that the check passes before the first build.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Part } from './part.ts'

const TOP_FOLDERS = ['packages', 'scripts', 'docs', 'bench', 'examples', 'e2e', 'schemas', 'deploy', '.ci']
/** Extensions of our own files only: users have yaml and json files too. */
const SOURCE_FILE = /\.(ts|tsx|js|md|css)$/
/** Segments of letters, digits and a few signs, with at least one slash; a star makes it a pattern. */
const PATH = /^[\w.@*-]+(\/[\w.@*-]+)+\/?$/
/** `checks/NAME.ts` stands for many files. */
const PLACEHOLDER = /(^|\/)[A-Z][A-Z_]+(\.|\/|$)/

export const docPaths: Part = {
  name: 'doc-paths',
  async run(root) {
    const documents = globSync(['*.md', 'docs/**/*.md'], { cwd: root }).sort()
    const built = ignoredFolders(root)
    return documents.flatMap((document) => missingPaths(root, document, built))
  },
}

function missingPaths(root: string, document: string, built: ReadonlySet<string>): string[] {
  const whole = readFileSync(join(root, document), 'utf8')
  const shown = new Set([...whole.matchAll(/`([^`]+)`:\n\s*```/g)].map(([, path]) => path))
  const text = withoutFences(whole)
  return text.split('\n').flatMap((line, index) => {
    const links = linksOf(line).filter((path) => !existsSync(join(root, dirname(document), path)))
    const named = codeOf(line).filter(
      (path) => isPath(path) && !shown.has(path) && !isFound(root, document, path, built),
    )
    return [...links, ...named].map((path) => `${document}:${index + 1} names ${path}, which does not exist`)
  })
}

function withoutFences(text: string): string {
  return text.replace(/^ *(```|~~~)[\s\S]*?^ *\1/gm, (block) => block.replace(/[^\n]/g, ''))
}

/** Targets of links to files, without their anchors. */
function linksOf(line: string): string[] {
  const targets = [...line.matchAll(/\]\(<?([^)\s>]+)>?[^)]*\)/g)].map((match) => match[1]!)
  return targets
    .filter((target) => !/^([a-z][a-z0-9+.-]*:|#|\/)/i.test(target))
    .map((target) => decodeURI(target.replace(/[#?].*$/, '')))
}

function codeOf(line: string): string[] {
  return [...line.matchAll(/`([^`]+)`/g)].map((match) => match[1]!.replace(/:\d+$/, ''))
}

function isPath(code: string): boolean {
  if (!PATH.test(code) || PLACEHOLDER.test(code)) return false
  return TOP_FOLDERS.includes(code.split('/')[0]!) || SOURCE_FILE.test(code)
}

function isFound(root: string, document: string, path: string, built: ReadonlySet<string>): boolean {
  const places = ['.', dirname(document), 'packages', 'packages/server/src']
  return places.some((place) => {
    const full = join(root, place, path)
    if (path.includes('*')) return globSync(full).length > 0
    return existsSync(full) || isBuilt(root, join(place, path), built)
  })
}

/** The folders of .gitignore: names, which match anywhere, and paths from the root. */
function ignoredFolders(root: string): ReadonlySet<string> {
  const file = join(root, '.gitignore')
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
  return new Set(lines.filter((line) => line.endsWith('/')).map((line) => line.slice(0, -1)))
}

function isBuilt(root: string, path: string, built: ReadonlySet<string>): boolean {
  const segments = path.split('/')
  const index = segments.findIndex(
    (name, end) => built.has(name) || built.has(segments.slice(0, end + 1).join('/')),
  )
  return index !== -1 && existsSync(join(root, ...segments.slice(0, index)))
}
