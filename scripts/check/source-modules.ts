// scripts/check/source-modules.ts: every source file of the repository with its imports, resolved to files or
// packages. Reads the syntax tree, so comments and strings are not taken for imports: import and export
// declarations, import(), import types, and new URL('./x.ts', import.meta.url), which starts threads.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, posix, sep } from 'node:path'
import { parseSync, Visitor } from 'vite'

/** A type import does not exist at run time; a thread import runs a file elsewhere without loading it here. */
export type ImportKind = 'value' | 'type' | 'thread'

export interface Import {
  readonly specifier: string
  readonly line: number
  readonly kind: ImportKind
  /** Path from the root if it is our file, 'missing' if it should be one; null for other packages. */
  readonly file: string | 'missing' | null
}

export interface SourceModule {
  /** Path from the root, with forward slashes. */
  readonly path: string
  readonly imports: readonly Import[]
  /** The text with comments blanked; line numbers stay the same. */
  readonly code: string
}

type Resolve = (specifier: string) => string | null

export function readSourceModules(root: string): SourceModule[] {
  const doors = workspaceDoors(root)
  const paths = globSync('{packages,scripts,bench,e2e,examples}/**/*.{ts,tsx,js}', {
    cwd: root,
    exclude: ['**/node_modules/**', '**/dist/**'],
  })
  return paths
    .map((path) => path.split(sep).join('/'))
    .sort()
    .map((path) => {
      const text = readFileSync(join(root, path), 'utf8')
      return readModule(path, text, (specifier) => resolveImport(root, doors, path, specifier))
    })
}

function readModule(path: string, text: string, resolve: Resolve): SourceModule {
  const { program, comments } = parseSync(path, text)
  const imports: Import[] = []
  const add = (specifier: unknown, start: number, kind: ImportKind) => {
    if (typeof specifier !== 'string') return
    const line = text.slice(0, start).split('\n').length
    imports.push({ specifier, line, kind, file: resolve(specifier) })
  }
  const addLiteral = (node: { type: string; value?: unknown; start: number }, kind: ImportKind) => {
    if (node.type === 'Literal') add(node.value, node.start, kind)
  }
  new Visitor({
    ImportDeclaration(node) {
      const names = node.specifiers.map((one) => ('importKind' in one ? one.importKind : 'value'))
      const onlyTypes = names.length > 0 && names.every((kind) => kind === 'type')
      add(node.source.value, node.start, node.importKind === 'type' || onlyTypes ? 'type' : 'value')
    },
    ExportNamedDeclaration(node) {
      add(node.source?.value, node.start, node.exportKind === 'type' ? 'type' : 'value')
    },
    ExportAllDeclaration(node) {
      add(node.source.value, node.start, node.exportKind === 'type' ? 'type' : 'value')
    },
    ImportExpression(node) {
      addLiteral(node.source, 'value')
    },
    TSImportType(node) {
      addLiteral(node.source, 'type')
    },
    NewExpression(node) {
      const [first, base] = node.arguments
      const isUrl = node.callee.type === 'Identifier' && node.callee.name === 'URL'
      if (!isUrl || first?.type !== 'Literal' || base?.type !== 'MemberExpression') return
      if (/\.(ts|js)$/.test(String(first.value))) addLiteral(first, 'thread')
    },
  }).visit(program)
  return { path, imports, code: blank(text, comments) }
}

function blank(text: string, spans: readonly { start: number; end: number }[]): string {
  let code = ''
  let end = 0
  for (const span of spans) {
    code += text.slice(end, span.start) + text.slice(span.start, span.end).replace(/[^\n]/g, ' ')
    end = span.end
  }
  return code + text.slice(end)
}

function resolveImport(root: string, doors: ReadonlyMap<string, string>, from: string, specifier: string) {
  if (specifier.startsWith('.')) {
    const file = posix.join(dirname(from), specifier)
    return existsSync(join(root, file)) ? file : 'missing'
  }
  const door = doors.get(specifier) ?? openWideDoor(doors, specifier)
  if (door) return existsSync(join(root, door)) ? door : 'missing'
  const names = [...doors.keys()]
  return names.some((name) => specifier.startsWith(`${name}/`)) ? 'missing' : null
}

/** An export such as `@pulseward/server/internal/*`, which stands for many files. */
function openWideDoor(doors: ReadonlyMap<string, string>, specifier: string): string | null {
  for (const [name, file] of doors) {
    const [prefix, suffix] = name.split('*')
    if (suffix !== undefined && specifier.startsWith(prefix!))
      return file.replace('*', specifier.slice(prefix!.length))
  }
  return null
}

/** What a workspace package exports: specifier to file. */
function workspaceDoors(root: string): Map<string, string> {
  const doors = new Map<string, string>()
  for (const path of globSync('packages/*/package.json', { cwd: root })) {
    const manifest = JSON.parse(readFileSync(join(root, path), 'utf8'))
    const folder = dirname(path).split(sep).join('/')
    for (const [subpath, file] of Object.entries<string>(manifest.exports ?? {})) {
      doors.set(posix.join(manifest.name, subpath), posix.join(folder, file))
    }
  }
  return doors
}
