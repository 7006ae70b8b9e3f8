// api/v2/routes/trial-routes.ts: the routes that try a draft. They answer when the trial has ended, which may take as long
// as its timeout, and break it off when their client is gone.
import type { Trials } from '../../../trials/trials.ts'
import { type V2Route, type V2RouteRequest, v2Read } from '../v2-route.ts'

export function trialRoutes(trials: Trials): V2Route[] {
  return [
    {
      ...v2Read('TryCheck', async (asked) => ({ body: await trials.check(asked.body, askingOf(asked)) })),
      waits: true,
    },
    {
      ...v2Read('TryNotification', async (asked) => ({
        body: await trials.notify(asked.body, askingOf(asked)),
      })),
      waits: true,
    },
  ]
}

function askingOf({ principal, whenOver }: V2RouteRequest<'TryCheck' | 'TryNotification'>) {
  const gone = new AbortController()
  whenOver(() => gone.abort())
  return { principal: principal.name, signal: gone.signal }
}
