// scripts/budget.ts: the compressed size of what a browser must load before the first view, against its
// budget. Runs after the build and fails it if the page has grown too heavy.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

const budgetBytes = { js: 150_000, css: 20_000 }
const firstView = ['index.html', 'src/views/overview/index.tsx']

interface Chunk {
  readonly file: string
  readonly css?: readonly string[]
  readonly imports?: readonly string[]
}

const dist = join(import.meta.dirname, '../dist')
const manifest: Record<string, Chunk> = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8'))

const chunks = new Set<string>()
const load = (name: string) => {
  if (chunks.has(name)) return
  chunks.add(name)
  for (const imported of manifest[name]!.imports ?? []) load(imported)
}
for (const name of firstView) load(name)

const files = new Set([
  'theme.js',
  ...[...chunks].flatMap((name) => [manifest[name]!.file, ...(manifest[name]!.css ?? [])]),
])
for (const [kind, budget] of Object.entries(budgetBytes)) {
  const bytes = [...files]
    .filter((file) => file.endsWith(`.${kind}`))
    .reduce((sum, file) => sum + gzipSync(readFileSync(join(dist, file))).length, 0)
  const isOver = bytes > budget
  if (isOver) process.exitCode = 1
  const side = isOver ? 'over' : 'within'
  process.stdout.write(`${kind.padEnd(3)} ${bytes} bytes compressed for the first view, ${side} ${budget}\n`)
}
