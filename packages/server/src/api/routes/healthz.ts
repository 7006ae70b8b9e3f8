// api/routes/healthz.ts: the process is alive. Says nothing about targets.
import type { Route } from '../route.ts'

export const healthz: Route = {
  path: '/api/v1/healthz',
  answer: () => ({ status: 200, body: { status: 'ok' } }),
}
