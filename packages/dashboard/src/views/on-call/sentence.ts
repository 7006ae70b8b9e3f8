// views/on-call/sentence.ts: who is on call, in one sentence: schedules with a gap come first.
import type { v2 } from '@pulseward/contract'
import { plural } from '../../format/count.ts'

const mostNamed = 3

export function onCallSentence(schedules: readonly v2.Schedule[]): string {
  if (schedules.length === 0) return 'There is no schedule.'
  const empty = schedules.filter(({ status }) => status?.onCall?.personRef === undefined)
  const people = new Map(
    schedules.flatMap(({ status }) => {
      const { personRef, name } = status?.onCall ?? {}
      return personRef === undefined ? [] : [[personRef, name ?? personRef] as const]
    }),
  )
  const gaps = empty.length === 0 ? [] : [`No person is on call by ${listed(empty.map(nameOfSchedule))}.`]
  const names = [...people.values()]
  const onCall = names.length === 0 ? [] : [`${listed(names)} ${names.length === 1 ? 'is' : 'are'} on call.`]
  return [...gaps, ...onCall].join(' ')
}

export function nameOfSchedule({ metadata: { id, name } }: v2.Schedule): string {
  return name ?? id
}

function listed(names: readonly string[]): string {
  const named = names.slice(0, mostNamed)
  const left = names.length - named.length
  const parts = left === 0 ? named : [...named, plural(left, 'other')]
  return parts.length === 1 ? parts[0]! : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}
