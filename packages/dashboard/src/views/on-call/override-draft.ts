// views/on-call/override-draft.ts: an override as it is typed: what is wrong with it, in words, and the document of its
// schedule with it.
import { type Json, withValue } from '../manage/json.ts'
import { type ShownTime, stretchInWords } from './wall-clock.ts'

export interface Override {
  readonly from: ShownTime
  readonly to: ShownTime
  readonly personRef: string
}

export interface OverrideMistake {
  readonly field: keyof Override
  readonly sentence: string
}

const shownTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/

/** `others`: the overrides of the schedule but for the one that is replaced. */
export function mistakeIn(
  draft: Override,
  others: readonly Override[],
  nameOf: (person: string) => string,
): OverrideMistake | null {
  const { from, to, personRef } = draft
  if (personRef === '') return { field: 'personRef', sentence: 'Choose who is on call then.' }
  if (!shownTime.test(from))
    return { field: 'from', sentence: 'Say on which day and at what time it begins.' }
  if (!shownTime.test(to)) return { field: 'to', sentence: 'Say on which day and at what time it ends.' }
  if (to <= from) return { field: 'to', sentence: 'It must end after it begins.' }
  const other = others.find((one) => one.from < to && from < one.to)
  if (other === undefined) return null
  const whose = `${nameOf(other.personRef)}, ${stretchInWords(other.from, other.to)}`
  return {
    field: 'from',
    sentence: `It overlaps another override (${whose}). Two overrides of a schedule may not overlap: choose other times, or change that one.`,
  }
}

function isSame(one: Override, other: Override): boolean {
  return one.from === other.from && one.to === other.to && one.personRef === other.personRef
}

/** The overrides of a schedule without this one. */
export function without(overrides: readonly Override[], removed: Override | null): readonly Override[] {
  return removed === null ? overrides : overrides.filter((one) => !isSame(one, removed))
}

/** The document of a schedule with other overrides. */
export function withOverrides(document: Json, overrides: readonly Override[]): Json {
  const value = overrides.length === 0 ? undefined : overrides.map((one) => ({ ...one }))
  return withValue(document, ['spec', 'overrides'], value)
}
