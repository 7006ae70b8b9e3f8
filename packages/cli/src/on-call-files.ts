// on-call-files.ts: what the commands about schedules and policies share: the files that they read, and the moment that
// they are asked about.
import { driverShapes, type LoadedFleet, loadFleet, UsageError } from '@pulseward/server'
import type { ParsedArguments } from './arguments.ts'
import type { Terminal } from './terminal.ts'

export type OnCallFleet = LoadedFleet['definition']

export const onCallFlags = {
  config: { kind: 'value', valueName: 'PATH', summary: 'Fleet file or folder; may be given several times.' },
  at: {
    kind: 'value',
    valueName: 'TIME',
    summary: 'Asks about another moment, such as 2026-12-24T18:00:00Z. Default: now.',
  },
} as const

/** Values of credentials need not be there: nothing is sent. */
export async function readOnCall(
  parsed: ParsedArguments,
  operands: readonly string[],
  { environment }: Pick<Terminal, 'environment'>,
): Promise<OnCallFleet> {
  const paths = [...(parsed.flags.get('config') ?? []), ...operands]
  if (paths.length === 0)
    throw new UsageError('Name the fleet files that say who is on call, such as --config fleet.yaml.')
  const drivers = driverShapes
  const { definition } = await loadFleet({ paths, drivers, allowEmpty: true, allowUnset: true, environment })
  return definition
}

export function momentFrom(text: string | null | undefined): number {
  if (text == null) return Date.now()
  const isWithOffset = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}.*(Z|[+-]\d{2}:\d{2})$/.test(text)
  const ms = isWithOffset ? Date.parse(text) : Number.NaN
  if (Number.isNaN(ms))
    throw new UsageError(`"${text}" is not a moment; write it with its offset, such as 2026-12-24T18:00:00Z.`)
  return ms
}
