// api/routes/events.ts: server-sent events that tell clients when to read again.

import { ApiError } from '../../requests/problem.ts'
import type { EventHub } from '../event-hub.ts'
import { type Route, route } from '../route.ts'

export function eventsRoute(hub: EventHub): Route {
  return route('StreamEvents', ({ query, headers }) => {
    if (hub.isFull) throw new ApiError('unavailable', 'Too many clients are listening already.', [], 30)
    const lastId = headers['last-event-id']
    return {
      stream: (request, response) =>
        hub.listen(request, response, query, typeof lastId === 'string' ? lastId : null),
    }
  })
}
