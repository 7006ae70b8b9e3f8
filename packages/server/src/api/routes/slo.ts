// api/routes/slo.ts: how punctual checks were over the last five minutes.
import type { Clock } from '../../platform/clock.ts'
import { sloView } from '../../projection/engine-view.ts'
import type { SloReport } from '../../slo/slo-window.ts'
import { json, type Route, route } from '../route.ts'

export function sloRoute(clock: Clock, report: () => SloReport): Route {
  return route('GetSLO', () => json(sloView(report(), clock.wallMs())))
}
