// api/routes/healthz.ts: whether the process is alive. It says nothing about targets.
import { json, type Route, route } from '../route.ts'

export const healthz: Route = route('GetLive', () => json({ status: 'ok' }))
