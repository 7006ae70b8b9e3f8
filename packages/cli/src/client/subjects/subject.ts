// client/subjects/subject.ts: one thing that `pulseward get` shows: which filters it supports, how it is
// read, and its table. Invalid filters are refused before anything is read.
import type { CallOptions, Client } from '@pulseward/client'
import { codes, statuses, v2 } from '@pulseward/contract'
import { checks } from '@pulseward/server'
import type { FlagSpec, ParsedArguments } from '../../arguments.ts'
import type { Block } from '../table/block.ts'

export type Read<Data> = (client: Client, options: CallOptions) => Promise<Data>

interface SubjectOf<Data> {
  /** Other names that people use for it. */
  readonly aliases?: readonly string[]
  readonly summary: string
  readonly version: 'v1' | 'v2'
  /** Whether an id follows the name. */
  readonly id: 'none' | 'optional' | 'required'
  readonly filters: readonly (keyof typeof filterFlags)[]
  /** The filters for a single one named by id, where the subject is otherwise a list. */
  readonly filtersOfOne?: readonly (keyof typeof filterFlags)[]
  /** The v2 operations that it carries out. */
  readonly operations?: readonly string[]
  prepare(parsed: ParsedArguments, id: string): Read<Data>
  blocks(data: Data): readonly Block[]
}

export type Subject = SubjectOf<unknown>

export function subject<Data>(of: SubjectOf<Data>): Subject {
  return of as Subject
}

const value = (valueName: string, summary: string, values?: readonly string[]): FlagSpec => ({
  kind: 'value',
  valueName,
  summary,
  ...(values === undefined ? {} : { values }),
})

/** With the name that it had before. */
const renamed = (alias: string, spec: FlagSpec): FlagSpec => ({ ...spec, aliases: [alias] })

export const orders = ['asc', 'desc'] as const

export const filterFlags = {
  page: value('N', 'monitors, incidents: the page, from 1.'),
  size: value('N', 'monitors, incidents: rows per page, at most 500. Default 50.'),
  status: value('STATUS', 'monitors: with exactly this status.', statuses),
  check: renamed('type', value('TYPE', 'monitors: with exactly this kind of check.', Object.keys(checks))),
  color: renamed('code', value('COLOR', 'monitors: with exactly this pending notification color.', codes)),
  name: renamed('q', value('TEXT', 'monitors: with this text in their name, in any case.')),
  'tells-nobody': { kind: 'switch', summary: 'monitors: enabled ones that tell nobody when they fail.' },
  monitor: renamed('monitor-id', value('MONITOR', 'state, history, actions: of this monitor.')),
  limit: value('N', 'history and v2 lists: rows per page, at most 500. Default 100.'),
  cursor: value('CURSOR', 'history and v2 lists: the page after the one that gave this cursor.'),
  order: value('asc|desc', 'history: oldest or newest first. Default asc.', orders),
  series: { kind: 'switch', summary: 'queues, pools: their recent past instead of now.' },
  selector: {
    ...value(
      'CLAUSES',
      'monitors (v2), endpoints, groups, routes, credentials, job-types: labels such as team=payments,!legacy.',
    ),
    short: 'l',
  },
  state: value('STATE', 'operations: in exactly this state.', v2.operationStates),
  all: { kind: 'switch', summary: 'v2 lists: every page, one after the other.' },
} as const satisfies Readonly<Record<string, FlagSpec>>
