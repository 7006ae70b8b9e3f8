// api/routes/fleet.ts: the fleet in pages: monitors, one monitor, incidents, and the map.

import { type MonitorSort, staleHeader, staleHeaderName } from '@pulseward/contract'
import { timestamp } from '../../platform/wire.ts'
import type { FleetLists, PageOf } from '../../projection/fleet-lists.ts'
import type { Sort } from '../../projection/query/query.ts'
import type { QueryAnswer } from '../../projection/query/query-runner.ts'
import { type Staleness, staleView } from '../../projection/staleness.ts'
import { ApiError } from '../../requests/problem.ts'
import { knownTag } from '../entity-tag.ts'
import { json, type Route, route } from '../route.ts'

export function fleetRoutes(lists: FleetLists): Route[] {
  return [
    route('ListMonitors', async ({ query }) => {
      const { page = 1, size = 50, sort = 'name', ...filters } = query
      const { views, ...found } = found200(await lists.monitors(filters, page, size, sortOf(sort)))
      return json({ ...head(found, page, size), filters, monitors: views })
    }),
    route('GetMonitor', ({ path: { id } }) => {
      const monitor = lists.monitor(id)
      if (!monitor.available)
        throw new ApiError('unavailable', `The monitors cannot be shown: ${monitor.reason}.`)
      if (monitor.value === null) throw new ApiError('monitor_not_found', `No monitor has the number ${id}.`)
      return json(monitor.value)
    }),
    route('ListIncidents', async ({ query: { page = 1, size = 50 } }) => {
      const { views, ...found } = found200(await lists.incidents(page, size))
      return json({ ...head(found, page, size), incidents: views })
    }),
    route('GetMap', async ({ query, headers }) => {
      const { bytes, etag, staleness } = found200(await lists.map(query))
      const stale = staleHeaders(staleness)
      const known = knownTag(headers['if-none-match'], etag)
      return {
        status: known === null ? 200 : 304,
        bytes,
        headers: { etag: known ?? etag, ...stale, 'content-type': 'application/octet-stream' },
      }
    }),
  ]
}

function sortOf(word: MonitorSort | `-${MonitorSort}`): Sort {
  const isDescending = word.startsWith('-')
  return { by: (isDescending ? word.slice(1) : word) as MonitorSort, isDescending }
}

function head({ generatedMs, staleness, total }: Omit<PageOf<unknown>, 'views'>, page: number, size: number) {
  return { generated: timestamp(generatedMs), stale: staleView(staleness), page, size, total }
}

function staleHeaders(staleness: Staleness | null): Readonly<Record<string, string>> {
  const stale = staleView(staleness)
  return stale === null ? {} : { [staleHeaderName]: staleHeader(stale) }
}

function found200<Value>(answer: QueryAnswer<Value>): Value {
  if (answer.kind === 'answered') return answer.value
  if (answer.kind === 'busy')
    throw new ApiError('unavailable', 'Too many searches are waiting; try again in a moment.', [], 1)
  throw new ApiError('unavailable', `The monitors cannot be shown: ${answer.reason}.`)
}
