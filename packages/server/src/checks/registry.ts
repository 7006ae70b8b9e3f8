// checks/registry.ts: every check by its name in fleet files. One line a driver.
import { dns } from './dns.ts'
import { docker } from './docker.ts'
import { grpc } from './grpc.ts'
import { http } from './http.ts'
import { icmp } from './icmp.ts'
import { kafka } from './kafka.ts'
import { mongo } from './mongo.ts'
import { mqtt } from './mqtt.ts'
import { mysql } from './mysql.ts'
import { ntp } from './ntp.ts'
import { postgres } from './postgres.ts'
import { rabbitmq } from './rabbitmq.ts'
import { redis } from './redis.ts'
import { smtp } from './smtp.ts'
import { ssh } from './ssh.ts'
import { tcp } from './tcp.ts'
import { tls } from './tls.ts'
import { udp } from './udp.ts'
import { websocket } from './websocket.ts'

export const checks = {
  http,
  tcp,
  udp,
  tls,
  dns,
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
