// servers/index.ts: every server that tests are run against by `npm run test:servers`. One line per server.
import { aiosmtpd } from './aiosmtpd.ts'
import { alertmanager } from './alertmanager.ts'
import { caddy } from './caddy.ts'
import { chronyd } from './chronyd.ts'
import { goSessions } from './go-server.ts'
import { haproxy, haproxySessions } from './haproxy.ts'
import { cron, curl, pythonRequests, systemdAnalyze, wget } from './job-programs.ts'
import { mariadb } from './mariadb.ts'
import { mosquitto } from './mosquitto.ts'
import { nginx, nginxSessions } from './nginx.ts'
import { nodeSessions } from './node-server.ts'
import { pgbouncer } from './pgbouncer.ts'
import { postgresql } from './postgresql.ts'
import { prometheus } from './prometheus.ts'
import { promtool } from './promtool.ts'
import { rabbitmqServer } from './rabbitmq-server.ts'
import { redisServer } from './redis-server.ts'
import type { ServerKind } from './server-process.ts'
import type { SessionServer } from './session-server.ts'
import { sshd } from './sshd.ts'
import { unbound } from './unbound.ts'

export const servers: readonly ServerKind[] = [
  unbound,
  nginx,
  caddy,
  chronyd,
  aiosmtpd,
  alertmanager,
  haproxy,
  mariadb,
  mosquitto,
  pgbouncer,
  postgresql,
  prometheus,
  promtool,
  rabbitmqServer,
  redisServer,
  sshd,
  curl,
  wget,
  cron,
  pythonRequests,
  systemdAnalyze,
]

/** Those that tests of TLS sessions are run against. */
export const sessionServers: readonly SessionServer[] = [
  nginxSessions,
  haproxySessions,
  goSessions,
  nodeSessions,
]

export { type RunningAiosmtpd, startAiosmtpd } from './aiosmtpd.ts'
export { Alertmanager } from './alertmanager.ts'
export { startCaddyProxy } from './caddy.ts'
export { startChronyd } from './chronyd.ts'
export { describeServer } from './describe-server.ts'
export { startCron, whyNoCron } from './job-programs.ts'
export { type RunningMariadb, startMariadb } from './mariadb.ts'
export { type RunningMosquitto, startMosquitto } from './mosquitto.ts'
export { type RunningNginx, startNginx, startNginxProxy } from './nginx.ts'
export { startPgbouncer } from './pgbouncer.ts'
export { type PostgresPlace, postgresPlace } from './postgres-place.ts'
export { startOnSmallDisk } from './postgres-small-disk.ts'
export { type RunningPostgresql, startPostgresql, startStandby } from './postgresql.ts'
export { Prometheus } from './prometheus.ts'
export { type RunningRabbitmq, startRabbitmq } from './rabbitmq-server.ts'
export { type RunningRedis, startRedis } from './redis-server.ts'
export type { RunningProxy } from './running-proxy.ts'
export { findProgram, freePort, type ServerKind } from './server-process.ts'
export { SeveredProxy } from './severed-proxy.ts'
export { type RunningSshd, startSshd } from './sshd.ts'
export { type RunningUnbound, startUnbound } from './unbound.ts'
export {
  aiosmtpd,
  alertmanager,
  caddy,
  chronyd,
  cron,
  curl,
  mariadb,
  mosquitto,
  nginx,
  pgbouncer,
  postgresql,
  prometheus,
  promtool,
  pythonRequests,
  rabbitmqServer,
  redisServer,
  sshd,
  systemdAnalyze,
  unbound,
  wget,
}
