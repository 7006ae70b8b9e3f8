// data/use-reading.ts: reads a resource and keeps it fresh. The files beside it define the resources, one each.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { LiveResource } from './live.ts'
import { type Reading, readingOf } from './reading.ts'
import { refreshEveryMs, usePaused } from './refresh.ts'
import { type Parameters, pathOf, readJson } from './request.ts'

interface ReadingOptions<Body> {
  readonly parameters?: Parameters
  /** Shows the previous page while the next one is loading. */
  readonly keepPrevious?: boolean
  /** False: do not read now; the reading stays as it is. */
  readonly enabled?: boolean
  /** A longer interval, for data that is large and visibly changes little; undefined: the usual one. */
  readonly everyMs?: number | undefined | ((body: Body | undefined) => number | undefined)
  readonly read?: (path: string, signal: AbortSignal, previous: Body | undefined) => Promise<Body>
}

/** The resource is the first part of the query key, by which data/live.ts refreshes it early. */
export function useReading<Body>(
  resource: LiveResource | (string & {}),
  path: string,
  options: ReadingOptions<Body> = {},
): Reading<Body> {
  const isPaused = usePaused()
  const address = pathOf(path, options.parameters)
  const read = options.read ?? ((from, signal) => readJson<Body>(from, signal))
  const queryKey = [resource, address]
  const query = useQuery<Body>({
    queryKey,
    queryFn: ({ signal, client }) => read(address, signal, client.getQueryData<Body>(queryKey)),
    refetchInterval: ({ state }) => {
      const { everyMs } = options
      return refreshEveryMs(
        isPaused,
        state.error,
        typeof everyMs === 'function' ? everyMs(state.data) : everyMs,
      )
    },
    refetchOnWindowFocus: !isPaused,
    enabled: options.enabled ?? true,
    ...(options.keepPrevious === true && { placeholderData: keepPreviousData }),
  })
  return readingOf(query)
}
