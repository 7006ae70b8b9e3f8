// client/output.ts: how a client command prints an answer: as tables for people; as the unchanged body of the
// API, in JSON or YAML, for programs.
import { UsageError } from '@pulseward/server'
import { dump } from 'js-yaml'
import { type FlagSpec, lastValue, type ParsedArguments } from '../arguments.ts'
import type { Terminal } from '../terminal.ts'
import { safeJson } from './plain-text.ts'
import type { Block } from './table/block.ts'
import { paintFor } from './table/color.ts'
import { type Rendered, renderBlocks } from './table/render.ts'

export const formats = ['table', 'wide', 'json', 'yaml'] as const
export type Format = (typeof formats)[number]

export const formatFlag: FlagSpec = {
  kind: 'value',
  short: 'o',
  values: formats,
  summary: 'How to print. Default table; json and yaml are the body of the API.',
}

export function formatFrom(parsed: ParsedArguments): Format {
  const wanted = lastValue(parsed, 'output') ?? 'table'
  const format = formats.find((one) => one === wanted)
  if (format !== undefined) return format
  throw new UsageError(`--output: "${wanted}" is not allowed here; use table, wide, json or yaml.`)
}

export interface View {
  /** Without a final line break. */
  readonly text: string
  /** What did not fit on the terminal and how to see it, in one sentence; null if everything is shown. */
  readonly hint: string | null
}

export function formatted(
  terminal: Terminal,
  format: Format,
  body: unknown,
  blocks: () => readonly Block[],
): View {
  if (format === 'json') return { text: safeJson(body), hint: null }
  if (format === 'yaml') return { text: dump(body, { noRefs: true, lineWidth: -1 }).trimEnd(), hint: null }
  const { stdout, timeZone } = terminal
  const nowMs = terminal.nowMs()
  const isWide = format === 'wide'
  const rendered = renderBlocks(blocks(), {
    columns: stdout.columns,
    isWide,
    timeZone,
    nowMs,
    paint: paintFor(terminal),
  })
  return { text: rendered.text, hint: hintFor(rendered, isWide, stdout.columns) }
}

export function printView({ stdout, stderr }: Terminal, { text, hint }: View): void {
  stdout.write(`${text}\n`)
  if (hint !== null) stderr.write(`pulseward: ${hint}\n`)
}

/** Nothing is cut in a pipe, so a pager shows everything. A cell that ends in … shows by itself that it was cut. */
function hintFor({ leftOut, isShortened }: Rendered, isWide: boolean, columns: number | null): string | null {
  if (leftOut.length > 0) {
    const how = isWide ? '| less -S' : '-o wide | less -S'
    return `${columns} columns have no room for ${leftOut.join(', ')}; add "${how}" to see every column.`
  }
  if (!isWide || !isShortened) return null
  return `Cells that end in … were cut to fit ${columns} columns; add "| less -S" to see them whole.`
}
