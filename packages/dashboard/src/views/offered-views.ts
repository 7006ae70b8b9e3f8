// views/offered-views.ts: the views for the current user: those that may not be used are not offered.
import { useMemo } from 'react'
import { may } from '../data/may.ts'
import { useSession } from '../data/session.ts'
import { type ViewEntry, views } from './registry.ts'

export function useOfferedViews(): readonly ViewEntry[] {
  const state = useSession()
  const role = state.kind === 'signed-in' ? state.session.role : null
  return useMemo(
    () => views.filter(({ needs }) => needs === undefined || (role !== null && may(role, needs))),
    [role],
  )
}
