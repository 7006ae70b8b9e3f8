// client/output.ts: how a client command prints what it got: for people as tables, for programs as the body of the API,
// unchanged, in JSON or YAML.
import { UsageError } from '@pulseward/server'
import { dump } from 'js-yaml'
import { type FlagSpec, lastValue, type ParsedArguments } from '../arguments.ts'
import type { Terminal } from '../terminal.ts'
import { safeJson } from './plain-text.ts'
import type { Block } from './table/block.ts'
import { paintFor } from './table/color.ts'
import { renderBlocks } from './table/render.ts'

export const formats = ['table', 'wide', 'json', 'yaml'] as const
export type Format = (typeof formats)[number]

export const formatFlag: FlagSpec = {
  kind: 'value',
  short: 'o',
  valueName: formats.join('|'),
  summary: 'How to print. Default table; json and yaml are the body of the API.',
}

export function formatFrom(parsed: ParsedArguments): Format {
  const wanted = lastValue(parsed, 'output') ?? 'table'
  const format = formats.find((one) => one === wanted)
  if (format !== undefined) return format
  throw new UsageError(`--output: "${wanted}" is not allowed here; use table, wide, json or yaml.`)
}

/** Without an end of line. */
export function formatted(
  terminal: Terminal,
  format: Format,
  body: unknown,
  blocks: () => readonly Block[],
): string {
  if (format === 'json') return safeJson(body)
  if (format === 'yaml') return dump(body, { noRefs: true, lineWidth: -1 }).trimEnd()
  const { columns } = terminal.stdout
  return renderBlocks(blocks(), { columns, isWide: format === 'wide', paint: paintFor(terminal) })
}
