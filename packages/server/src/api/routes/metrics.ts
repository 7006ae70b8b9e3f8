// api/routes/metrics.ts: the metrics, in the format that the metrics server asks for.
import { type MetricsSource, metricsOf } from '../../projection/metrics.ts'
import { exposition, mediaTypes } from '../../telemetry/exposition.ts'
import { type Route, route } from '../route.ts'

export function metricsRoute(source: MetricsSource): Route {
  return route('GetMetrics', async ({ headers }) => {
    const format = headers.accept?.includes('application/openmetrics-text') ? 'openmetrics' : 'prometheus'
    const text = exposition(await metricsOf(source), format)
    return { status: 200, bytes: text, headers: { 'content-type': mediaTypes[format], vary: 'Accept' } }
  })
}
