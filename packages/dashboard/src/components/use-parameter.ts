// components/use-parameter.ts: one parameter of the URL as state. Other parameters are left unchanged.
import { useCallback } from 'react'
import { useLocation, useSearch } from 'wouter'

export type SetParameter = (value: string | null, how?: { readonly replace: boolean }) => void

/** Null if the URL does not have it; setting null removes it. */
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
