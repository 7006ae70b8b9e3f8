// views/monitors/use-filter-state.ts: the state of the list, kept in the URL. Typing replaces the browser's
// history entry, so that Back leaves the list instead of undoing letters.
import { useCallback, useMemo } from 'react'
import { useLocation, useSearch } from 'wouter'
import { changed, type FilterState, filterStateOf, searchOf } from './filter-state.ts'

export type ChangeFilter = (change: Partial<FilterState>) => void

export function useFilterState(): readonly [FilterState, ChangeFilter] {
  const search = useSearch()
  const [, navigate] = useLocation()
  const state = useMemo(() => filterStateOf(search), [search])
  const change = useCallback<ChangeFilter>(
    (part) => navigate(`/monitors${searchOf(changed(state, part))}`, { replace: true }),
    [navigate, state],
  )
  return [state, change]
}
