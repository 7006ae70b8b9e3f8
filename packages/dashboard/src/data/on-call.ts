// data/on-call.ts: who is on call: schedules with whoever is on call now, people, and the shifts of schedules.
import type { v2 } from '@pulseward/contract'
import { useQueries } from '@tanstack/react-query'
import { ReadFailure } from './failure.ts'
import { type Reading, readingOf } from './reading.ts'
import { refreshEveryMs, usePaused } from './refresh.ts'
import { pathOf } from './request.ts'
import { useV2Reading } from './v2-reading.ts'
import { useV2 } from './v2-request.ts'

/** As many as one answer may have; the view says when there are more. */
const listLimit = 500
/** Shifts follow from the schedule, which people seldom change. */
const shiftsEveryMs = 20_000
const peopleEveryMs = 60_000

export function useSchedules(): Reading<v2.ScheduleList> {
  return useV2Reading('/api/v2/schedules', { limit: listLimit })
}

export function usePeople(): Reading<v2.PersonList> {
  return useV2Reading('/api/v2/people', { limit: listLimit }, peopleEveryMs)
}

/** With the pages that each has not ended. */
export function usePolicies(enabled: boolean): Reading<v2.PolicyList> {
  return useV2Reading('/api/v2/policies', { limit: listLimit }, undefined, enabled)
}

/** What people call a person; the id of one without a name, or that is not known. */
export function useNameOfPerson(): (id: string) => string {
  const people = usePeople()
  const names = new Map(
    people.available ? people.body.items.map(({ metadata: { id, name } }) => [id, name] as const) : [],
  )
  return (id) => names.get(id) ?? id
}

/** A time of a schedule, as RFC 3339. */
export interface ShiftRange {
  readonly scheduleId: string
  readonly from: string
  readonly to: string
}

/** The shifts of several schedules, each in its own time and in the same order. */
export function useShifts(ranges: readonly ShiftRange[]): readonly Reading<v2.ShiftList>[] {
  const requests = useV2()
  const isPaused = usePaused()
  const queries = useQueries({
    queries: ranges.map(({ scheduleId, from, to }) => {
      const address = pathOf(`/api/v2/schedules/${encodeURIComponent(scheduleId)}/shifts`, { from, to })
      return {
        queryKey: ['v2-shifts', address],
        async queryFn({ signal }: { readonly signal: AbortSignal }) {
          if (requests === null) throw new ReadFailure('refused', 'Sign in to read this.')
          return (await requests.read<v2.ShiftList>(address, signal)).body
        },
        enabled: requests !== null,
        refetchInterval: ({ state: { error } }: { readonly state: { readonly error: unknown } }) =>
          refreshEveryMs(isPaused, error, shiftsEveryMs),
        refetchOnWindowFocus: !isPaused,
      }
    }),
  })
  return queries.map((query) => readingOf<v2.ShiftList>(query))
}
