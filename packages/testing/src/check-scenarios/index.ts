// check-scenarios/index.ts: what each driver of the registry meets in its contract, by the name of the check.
import type { StartScenarios } from '../check-contract/scenarios.ts'
import type { Troubles } from '../check-contract/troubles.ts'
import { dnsScenarios, dnsTroubles } from './dns.ts'
import { dockerScenarios, dockerTroubles } from './docker.ts'
import { grpcScenarios, grpcTroubles } from './grpc.ts'
import { httpScenarios, httpTroubles } from './http.ts'
import { icmpScenarios, icmpTroubles } from './icmp.ts'
import { kafkaScenarios, kafkaTroubles } from './kafka.ts'
import { mongoScenarios, mongoTroubles } from './mongo.ts'
import { mqttScenarios, mqttTroubles } from './mqtt.ts'
import { mysqlScenarios, mysqlTroubles } from './mysql.ts'
import { ntpScenarios, ntpTroubles } from './ntp.ts'
import { postgresScenarios, postgresTroubles } from './postgres.ts'
import { rabbitmqScenarios, rabbitmqTroubles } from './rabbitmq.ts'
import { redisScenarios, redisTroubles } from './redis.ts'
import { smtpScenarios, smtpTroubles } from './smtp.ts'
import { sshScenarios, sshTroubles } from './ssh.ts'
import { tcpScenarios, tcpTroubles } from './tcp.ts'
import { tlsScenarios, tlsTroubles } from './tls.ts'
import { udpScenarios, udpTroubles } from './udp.ts'
import { websocketScenarios, websocketTroubles } from './websocket.ts'

type Scenarios = Readonly<Record<string, StartScenarios>>

const network: Scenarios = {
  http: httpScenarios,
  tcp: tcpScenarios,
  udp: udpScenarios,
  tls: tlsScenarios,
  dns: dnsScenarios,
  icmp: icmpScenarios,
  ntp: ntpScenarios,
}

const services: Scenarios = {
  smtp: smtpScenarios,
  ssh: sshScenarios,
  websocket: websocketScenarios,
  grpc: grpcScenarios,
  docker: dockerScenarios,
}

const databases: Scenarios = {
  redis: redisScenarios,
  postgres: postgresScenarios,
  mysql: mysqlScenarios,
  mongo: mongoScenarios,
}

const brokers: Scenarios = {
  rabbitmq: rabbitmqScenarios,
  kafka: kafkaScenarios,
  mqtt: mqttScenarios,
}

/** By families, so that their contracts can be tried at the same time. */
export const scenarioGroups = { network, services, databases, brokers }

/** What each check says about each trouble, by the name of the check; a table that needs no server. */
export const checkTroubles: Readonly<Record<string, Troubles>> = {
  http: httpTroubles,
  tcp: tcpTroubles,
  udp: udpTroubles,
  tls: tlsTroubles,
  dns: dnsTroubles,
  icmp: icmpTroubles,
  ntp: ntpTroubles,
  smtp: smtpTroubles,
  ssh: sshTroubles,
  websocket: websocketTroubles,
  grpc: grpcTroubles,
  docker: dockerTroubles,
  redis: redisTroubles,
  postgres: postgresTroubles,
  mysql: mysqlTroubles,
  mongo: mongoTroubles,
  rabbitmq: rabbitmqTroubles,
  kafka: kafkaTroubles,
  mqtt: mqttTroubles,
}
