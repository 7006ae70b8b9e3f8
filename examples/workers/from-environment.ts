// What every worker here reads from its environment.
import type { WorkerOptions } from '@pulseward/worker'

const {
  PULSEWARD_URL: server = '',
  PULSEWARD_TOKEN: token = '',
  PULSEWARD_PLAIN_HTTP: plainHttp = 'no',
  WORKER_JOURNAL: journal = 'worker.journal',
  WORKER_HEALTH_PORT: port,
  WORKER_HEALTH_HOST: host = '127.0.0.1',
} = process.env

export const fromEnvironment: Omit<WorkerOptions, 'handlers'> = {
  server,
  token,
  journal,
  allowInsecureHttp: plainHttp === 'yes',
  ...(port === undefined ? {} : { health: { port: Number(port), host } }),
}
