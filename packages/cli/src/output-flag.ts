// output-flag.ts: how a command prints: for people or for programs.
import { UsageError } from '@pulseward/server'
import { type FlagSpec, lastValue, type ParsedArguments } from './arguments.ts'

export const outputFlag: FlagSpec = {
  kind: 'value',
  short: 'o',
  values: ['table', 'json'],
  summary: 'How to print. Default table.',
}

export function outputFrom(parsed: ParsedArguments): 'table' | 'json' {
  const output = lastValue(parsed, 'output') ?? 'table'
  if (output === 'table' || output === 'json') return output
  throw new UsageError(`--output: "${output}" is not allowed here; use table or json.`)
}
