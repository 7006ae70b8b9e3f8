// checks/registry.ts: every check by its name in fleet files. Nothing else names a driver: the docs, the
// examples, the contract tests and the metric labels find its files by this name.
import { dns } from './dns/dns.ts'
import { docker } from './docker/docker.ts'
import { domain } from './domain/domain.ts'
import { grpc } from './grpc/grpc.ts'
import { http } from './http/http.ts'
import { icmp } from './icmp/icmp.ts'
import { kafka } from './kafka/kafka.ts'
import { mongo } from './mongo/mongo.ts'
import { mqtt } from './mqtt/mqtt.ts'
import { mysql } from './mysql/mysql.ts'
import { ntp } from './ntp/ntp.ts'
import { postgres } from './postgres/postgres.ts'
import { rabbitmq } from './rabbitmq/rabbitmq.ts'
import { redis } from './redis/redis.ts'
import { smtp } from './smtp/smtp.ts'
import { ssh } from './ssh/ssh.ts'
import { tcp } from './tcp/tcp.ts'
import { tls } from './tls/tls.ts'
import { udp } from './udp/udp.ts'
import { websocket } from './websocket/websocket.ts'

export const checks = {
  http,
  tcp,
  udp,
  tls,
  dns,
  domain,
  icmp,
  ntp,
  smtp,
  ssh,
  websocket,
  grpc,
  docker,
  redis,
  postgres,
  mysql,
  mongo,
  rabbitmq,
  kafka,
  mqtt,
}
