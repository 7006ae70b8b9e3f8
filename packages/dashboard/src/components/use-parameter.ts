// components/use-parameter.ts: one parameter of the address as state. Others are left as they are.
import { useCallback } from 'react'
import { useLocation, useSearch } from 'wouter'

export type SetParameter = (value: string | null, how?: { readonly replace: boolean }) => void

/** Null when the address does not have it, and to take it away. */
export function useParameter(name: string): readonly [string | null, SetParameter] {
  const search = useSearch()
  const [path, navigate] = useLocation()
  const set = useCallback<SetParameter>(
    (value, how = { replace: false }) => {
      const query = new URLSearchParams(search)
      if (value === null) query.delete(name)
      else query.set(name, value)
      navigate(query.size === 0 ? path : `${path}?${query}`, how)
    },
    [name, navigate, path, search],
  )
  return [new URLSearchParams(search).get(name), set]
}
