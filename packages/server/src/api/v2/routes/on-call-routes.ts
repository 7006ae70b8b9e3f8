// api/v2/routes/on-call-routes.ts: the shifts of a schedule.
import { v2 } from '@pulseward/contract'
import type { OnCallViews } from '../../../projection/v2/on-call-views.ts'
import { refusal, V2Problem } from '../../../requests/v2-problem.ts'
import { type V2Route, v2Read } from '../v2-route.ts'

const mostMs = v2.limits.shiftDays * 86_400_000

export function onCallRoutes(views: OnCallViews, now: () => number): V2Route[] {
  return [
    v2Read('GetShifts', ({ path: { id }, query: { from, to } }) => {
      const lengthMs = to === null ? 0 : to - (from ?? now())
      if (lengthMs < 0 || lengthMs > mostMs)
        throw refusal('invalidParameter', 'query', [
          {
            field: 'to',
            reason: lengthMs < 0 ? 'tooSmall' : 'tooLarge',
            message: `must be at most ${v2.limits.shiftDays} days after the beginning, and not before it`,
          },
        ])
      const body = views.shifts(id, from, to)
      if (body === null) throw new V2Problem('notFound', `There is no schedule "${id}".`)
      return { body }
    }),
  ]
}
