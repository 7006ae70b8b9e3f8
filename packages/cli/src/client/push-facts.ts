// client/push-facts.ts: a job that reports by itself, for people: where it is, what is expected of it, and what it said
// last. An earlier service knows none.
import type { PushReport } from '@pulseward/contract'
import { type Block, type Column, type FactsBlock, type Phrase, table } from './table/block.ts'
import { milliseconds, moment } from './table/values.ts'

const stateWords: Readonly<Record<PushReport['state'], string>> = {
  new: 'waiting for its first signal',
  up: 'in time',
  late: 'late',
  down: 'missed',
}

const signalWords: Readonly<Record<PushReport['signals'][number]['kind'], string>> = {
  success: 'success',
  fail: 'failure',
  start: 'start',
  log: 'log',
}

/** `push` as the detail of a monitor has it. */
export interface Reported {
  readonly push?: PushReport | null
}

export function pushFacts({ push = null }: Reported): FactsBlock['facts'] {
  if (push === null) return []
  const { state, late_since: lateSince, due_at: dueAt, last_signal: kind, last_signal_at: at } = push
  const { previous_key_used_at: previousKeyUsedAt, hint, runs } = push
  return [
    ['Reports', lateSince === null ? stateWords[state] : ['late since ', moment(lateSince)]],
    ['Expected', moment(dueAt)],
    ['Last signal', kind === null ? null : [`${signalWords[kind]}, `, moment(at)]],
    ...runs.map(({ rid, started_at }) => ['Running', ofRun(rid, started_at)] as const),
    [
      'Previous key',
      previousKeyUsedAt === null
        ? null
        : ['last used ', moment(previousKeyUsedAt), '; remove it when no job uses it any more'],
    ],
    ['Hint', hint],
  ]
}

function ofRun(rid: string, startedAt: string | null): Phrase {
  return [rid === '' ? 'since ' : `${rid}, since `, moment(startedAt)]
}

type Signal = PushReport['signals'][number]

const columns: readonly Column<Signal>[] = [
  { title: 'AT', cell: ({ at }) => moment(at) },
  { title: 'SIGNAL', cell: ({ kind }) => signalWords[kind] },
  { title: 'SAID', cell: saidIn, minimum: 20 },
  { title: 'TOOK', cell: ({ run_ms: runMs }) => milliseconds(runMs), dispensable: 1 },
  { title: 'RUN', cell: ({ rid }) => (rid === '' ? null : rid), dispensable: 2 },
]

/** The signals that said more than that all is well, the newest first. */
export function signalBlocks({ push = null }: Reported): Block[] {
  if (push === null || push.signals.length === 0) return []
  return [table<Signal>(columns, push.signals, { heading: 'Last signals', empty: '' })]
}

/** What it said in a sentence, or else the last line of its output. */
function saidIn({ message, output }: Signal): string | null {
  const said = message === '' ? (output.trimEnd().split('\n').at(-1) ?? '') : message
  return said === '' ? null : said
}

/** What happens next to a job that is watched; null for a monitor whose check is run. */
export function nextSignal({ push = null }: Reported): Phrase[] | null {
  if (push === null) return null
  const { state, due_at: dueAt } = push
  if (dueAt === null) return state === 'new' ? [['Nothing is expected until its first signal.']] : []
  if (state === 'late') return [['It is down when its grace ends without a signal.']]
  return [['The next signal is expected at ', moment(dueAt), '.']]
}
