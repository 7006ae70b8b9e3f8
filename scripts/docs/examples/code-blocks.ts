// scripts/docs/examples/code-blocks.ts: the examples in the documents for users. The words after the language of a block
// say how it is tested: `file=NAME` gives it a name for the commands of its page, `not-run="REASON"` says why commands
// cannot be run, and `stop-service` stops the service of the page before them.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import MarkdownIt from 'markdown-it'

export interface CodeBlock {
  readonly document: string
  readonly line: number
  readonly language: string
  readonly text: string
  readonly file: string | null
  readonly notRun: string | null
  readonly stopsService: boolean
}

const root = join(import.meta.dirname, '../../..')
/** Its commands are benchmarks, which tests do not run. */
const withoutExamples = ['docs/performance.md']
const documents = [...globSync('docs/*.md', { cwd: root }).sort(), 'README.md']

export function documentedBlocks(): CodeBlock[] {
  return documents
    .filter((document) => !withoutExamples.includes(document))
    .flatMap((document) => blocksOf(document, readFileSync(join(root, document), 'utf8')))
}

export function blocksOf(document: string, source: string): CodeBlock[] {
  const fences = new MarkdownIt().parse(source, {}).filter(({ type }) => type === 'fence')
  return fences.map(({ info, content, map }) => ({
    document,
    line: (map?.[0] ?? 0) + 1,
    language: info.trim().split(/\s/)[0] ?? '',
    text: content,
    file: /\sfile=(\S+)/.exec(info)?.[1] ?? null,
    notRun: /\snot-run="([^"]+)"/.exec(info)?.[1] ?? null,
    stopsService: /\sstop-service\b/.test(info),
  }))
}
