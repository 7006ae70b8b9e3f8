// projection/because-view.ts: a recorded reason as v1 and v2 show it: the same members in the spelling of
// each, with times as text. Shows only what the record says.
import type { Because as V1Because, v2 } from '@pulseward/contract'
import type { Action } from '../deciding/actions/action.ts'
import type { Because, RecordedBecause } from '../deciding/health/because.ts'
import { timestamp } from '../platform/wire.ts'

/** Members that are instants; all others are passed on unchanged. */
const times: ReadonlySet<string> = new Set(['until', 'backupAt'])

export function becauseV1(because: RecordedBecause | undefined): V1Because | null {
  return because == null ? null : (spelled(because, inSnakeCase) as V1Because)
}

export function becauseV2(because: RecordedBecause | undefined): v2.Because | null {
  return because == null ? null : (spelled(because, withCapitalId) as v2.Because)
}

/** The reason for the delay with the time at which the wait ends, which moves with the clock of the service. */
export function delayV1({ delay, notBefore }: Action): V1Because | null {
  return delay === undefined ? null : { ...becauseV1(delay)!, until: timestamp(notBefore) }
}

export function delayV2({ delay, notBefore }: Action): v2.Because | null {
  return delay === undefined ? null : { ...becauseV2(delay)!, until: timestamp(notBefore) }
}

function spelled(because: Because, spell: (name: string) => string): object {
  const members = Object.entries(because).map(([name, value]) => [
    spell(name),
    times.has(name) ? timestamp(value as number) : value,
  ])
  return Object.fromEntries(members)
}

function inSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`)
}

function withCapitalId(name: string): string {
  return name.replace(/Id$/, 'ID')
}
