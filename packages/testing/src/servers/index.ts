// servers/index.ts: every server that tests are run against where it is installed. One line a server.

import { aiosmtpd } from './aiosmtpd.ts'
import { alertmanager } from './alertmanager.ts'
import { chronyd } from './chronyd.ts'
import { mariadb } from './mariadb.ts'
import { mosquitto } from './mosquitto.ts'
import { nginx } from './nginx.ts'
import { postgresql } from './postgresql.ts'
import { rabbitmqServer } from './rabbitmq-server.ts'
import { redisServer } from './redis-server.ts'
import type { ServerKind } from './server-process.ts'
import { sshd } from './sshd.ts'
import { unbound } from './unbound.ts'

export const servers: readonly ServerKind[] = [
  unbound,
  nginx,
  chronyd,
  aiosmtpd,
  alertmanager,
  mariadb,
  mosquitto,
  postgresql,
  rabbitmqServer,
  redisServer,
  sshd,
]
