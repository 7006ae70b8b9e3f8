// import/uptime-kuma/checks.ts: the check for each type of Uptime Kuma monitor that a fleet file can express.
import { entryOf, type Fields, noCounterpart } from '../fields.ts'
import { NotCarried } from '../fleet-draft.ts'
import { httpRequest } from '../http-check.ts'
import { stated } from '../monitor-parts.ts'
import { readServerUrl, serverConfig } from '../server-address.ts'
import type { CheckSource } from './check-source.ts'
import { httpMonitor, loginOf, tlsOf } from './http-monitor.ts'
import { pushMonitor } from './push-monitor.ts'
import { idOf } from './source.ts'

const usualOffsetMs = 1_000
/** The close code of a WebSocket when all is well. */
const normalClosure = '1000'

interface Check {
  readonly type: string
  readonly config: object
}

const types: Readonly<Record<string, (source: CheckSource) => Check>> = {
  http: (source) => ({ type: 'http', config: httpMonitor(source) }),
  keyword: (source) => ({ type: 'http', config: httpMonitor(source) }),
  'json-query': (source) => ({ type: 'http', config: httpMonitor(source) }),
  port({ fields }) {
    fields.refuse('is not carried over: add a monitor with a check of type smtp or tls', 'smtp_security')
    if (fields.text('expected_tls_alert') !== 'none')
      fields.refuse('is not carried over: no check wants that a handshake fails', 'expected_tls_alert')
    return { type: 'tcp', config: place(fields) }
  },
  ping({ fields }) {
    fields.passWhen('packet_size', 56)
    fields.refuse(noCounterpart, 'packet_size')
    return { type: 'icmp', config: { host: hostOf(fields), count: fields.number('ping_count') || 1 } }
  },
  push: (source) => ({ type: 'push', config: pushMonitor(source) }),
  dns: dnsCheck,
  docker: dockerCheck,
  postgres(source) {
    const { server, database, more } = databaseParts(source, ['postgres', 'postgresql'], ['sslmode', 'ssl'])
    const tls = tlsOfNodePostgres(server.options)
    return { type: 'postgres', config: { ...serverConfig(server), ...database, ...more, ...stated({ tls }) } }
  },
  mysql(source) {
    const { server, database, more } = databaseParts(source, ['mysql', 'mariadb'], [])
    // The password is stored separately, in the field of RADIUS monitors.
    const password = source.fields.text('radius_password')
    const own = password === undefined ? undefined : source.secrets.secret(source.owner, 'password', password)
    const config = { ...serverConfig(server), ...stated({ password: server.password ?? own }) }
    return { type: 'mysql', config: { ...config, ...database, ...more } }
  },
  redis(source) {
    const { server } = databaseParts(source, ['redis', 'rediss'], [], ['rediss'])
    const number = Number(server.path ?? Number.NaN)
    const database = Number.isInteger(number) ? { database: number } : {}
    const tls = server.tls !== undefined && source.fields.flag('ignore_tls') ? { tls: { verify: false } } : {}
    return { type: 'redis', config: { ...serverConfig(server), ...database, ...tls } }
  },
  mongodb(source) {
    const { server, database } = databaseParts(source, ['mongodb'], ['authSource', 'tls', 'ssl'])
    source.fields.refuse(
      'is not carried over: write the command into the check',
      'database_query',
      'json_path',
    )
    const tls = [server.options['tls'], server.options['ssl']].includes('true') ? {} : undefined
    const more = stated({ auth_database: server.options['authSource'], tls })
    return { type: 'mongo', config: { ...serverConfig(server), ...database, ...more } }
  },
  mqtt: mqttCheck,
  'kafka-producer': kafkaCheck,
  rabbitmq: rabbitCheck,
  'grpc-keyword': grpcCheck,
  'websocket-upgrade': websocketCheck,
  smtp({ fields }) {
    const securities: Readonly<Record<string, string>> = {
      secure: 'tls',
      nostarttls: 'none',
      starttls: 'starttls',
    }
    const security = entryOf(securities, fields.text('smtp_security') ?? '') ?? 'none'
    return { type: 'smtp', config: { ...place(fields), security } }
  },
  ntp({ fields }) {
    const offsetMs = fields.number('ntp_time_offset_threshold') || usualOffsetMs
    fields.refuse(noCounterpart, 'ntp_stratum_threshold', 'ntp_root_dispersion_threshold')
    return {
      type: 'ntp',
      config: { ...place(fields), max_offset: `${Math.round(offsetMs)}ms` },
    }
  },
}

/** Its driver verifies certificates in every mode except no-verify, even where PostgreSQL itself would not. */
function tlsOfNodePostgres({ sslmode, ssl }: Readonly<Record<string, string>>): object | undefined {
  if (sslmode === 'no-verify') return { verify: false }
  return (sslmode === undefined && ssl !== 'true') || sslmode === 'disable' ? undefined : {}
}

export function checkOf(type: string, source: CheckSource): Check {
  const read = entryOf(types, type)
  if (read === undefined) throw new NotCarried('', `there is no check for monitors of type "${type}"`)
  return read(source)
}

function hostOf(fields: Fields): string {
  const host = fields.text('hostname')?.trim()
  if (host === undefined) throw new NotCarried('hostname', 'it is missing')
  return host.replace(/^\[(.*)\]$/, '$1')
}

function place(fields: Fields): { host: string; port?: number } {
  return { host: hostOf(fields), ...stated({ port: fields.number('port') || undefined }) } as { host: string }
}

function dnsCheck({ fields }: CheckSource): Check {
  const [server, ...others] = (fields.text('dns_resolve_server') ?? '')
    .split(/[,\s]+/)
    .filter((one) => one !== '')
  if (others.length > 0) fields.note('dns_resolve_server', 'has several; the first is asked')
  const port = fields.number('port')
  const isUsual = port === undefined || port === 53 || port === 0
  const address = server?.includes(':') ? `[${server}]` : server
  fields.refuse('is not carried over: write what is expected into the check', 'conditions')
  return {
    type: 'dns',
    config: stated({
      host: hostOf(fields),
      record_type: fields.text('dns_resolve_type'),
      server: server === undefined || isUsual ? server : `${address}:${port}`,
    }),
  }
}

function dockerCheck({ fields, source }: CheckSource): Check {
  const id = idOf(fields.take('docker_host'))
  const host = id === null ? undefined : source.dockerHosts?.get(id)
  const container = fields.text('docker_container')
  if (host === undefined) {
    fields.note(
      'docker_host',
      'is not in the file; the engine of the machine that the service runs on is asked',
    )
    return { type: 'docker', config: { container } }
  }
  const daemon = String(host['docker_daemon'] ?? '')
  const engine =
    host['docker_type'] === 'socket'
      ? `unix://${daemon}`
      : daemon.replace(/^https?:\/\//, 'tcp://').replace(/\/$/, '')
  const isSecure = daemon.startsWith('https:')
  if (isSecure)
    fields.note(
      'docker_host',
      'is asked without a client certificate, which Uptime Kuma keeps beside its database',
    )
  const tls = isSecure ? { tls: {} } : {}
  return { type: 'docker', config: { container, engine, ...tls } }
}

function databaseParts(
  { fields, owner, secrets }: CheckSource,
  schemes: readonly string[],
  knownOptions: readonly string[],
  secureSchemes: readonly string[] = [],
) {
  const field = 'database_connection_string'
  const text = fields.text(field)
  if (text === undefined) throw new NotCarried(field, 'it is missing')
  const server = readServerUrl(text, schemes, { owner, field, fields, secrets, knownOptions, secureSchemes })
  fields.refuse('is not carried over: write what is expected into the check', 'conditions')
  const query = fields.text('database_query')
  return { server, database: stated({ database: server.path }), more: stated({ query }) }
}

function mqttCheck({ fields, owner, secrets }: CheckSource): Check {
  const [, scheme = 'mqtt', host = ''] = /^(?:([a-z]+):\/\/)?(.*)$/is.exec(hostOf(fields)) ?? []
  if (!['mqtt', 'mqtts'].includes(scheme.toLowerCase()))
    throw new NotCarried('hostname', 'MQTT is not checked over WebSockets here')
  fields.refuse(
    'is not carried over: the check only logs in',
    'mqtt_topic',
    'mqtt_success_message',
    'conditions',
  )
  const [user, password] = [fields.text('mqtt_username'), fields.text('mqtt_password')]
  const login = stated({
    port: fields.number('port') || undefined,
    user,
    password: password === undefined ? undefined : secrets.secret(owner, 'password', password),
    tls: scheme.toLowerCase() === 'mqtts' ? {} : undefined,
  })
  return { type: 'mqtt', config: { host, ...login } }
}

function kafkaCheck({ fields, owner, secrets }: CheckSource): Check {
  fields.refuse(
    'is not carried over: the check looks at the topic and sends nothing',
    'kafka_producer_message',
  )
  const sasl = fields.fields('kafka_producer_sasl_options')
  const mechanism = sasl?.text('mechanism')
  const password = sasl?.text('password')
  if (mechanism === 'aws' || mechanism === 'oauthbearer')
    throw new NotCarried('kafka_producer_sasl_options', 'checks here cannot log in like that')
  const logsIn = mechanism !== undefined && mechanism !== 'None'
  if (logsIn && password === undefined)
    throw new NotCarried('kafka_producer_sasl_options', 'a login without a password is not possible here')
  const user = sasl?.text('username')
  return {
    type: 'kafka',
    config: {
      brokers: fields.texts('kafka_producer_brokers'),
      ...stated({
        topic: fields.text('kafka_producer_topic'),
        tls: fields.flag('kafka_producer_ssl') ? {} : undefined,
      }),
      ...(logsIn ? { mechanism, user, password: secrets.secret(owner, 'password', password!) } : {}),
    },
  }
}

/** Uptime Kuma calls the management API, which an http check can do. */
function rabbitCheck({ fields, owner, secrets }: CheckSource): Check {
  const [node, ...others] = fields.texts('rabbitmq_nodes')
  if (node === undefined) throw new NotCarried('rabbitmq_nodes', 'there is none')
  if (others.length > 0) fields.note('rabbitmq_nodes', 'are several; the first is asked')
  const [username = '', password] = [fields.text('rabbitmq_username'), fields.text('rabbitmq_password')]
  const login = password === undefined ? undefined : { basic: { username, password } }
  const url = `${node.replace(/\/+$/, '')}/api/health/checks/alarms/`
  return { type: 'http', config: httpRequest({ url, login }, owner, fields, secrets) }
}

function grpcCheck({ fields }: CheckSource): Check {
  const isHealth = /^(grpc\.health\.v1\.)?Health$/.test(fields.text('grpc_service_name') ?? '')
  if (!isHealth || fields.text('grpc_method')?.toLowerCase() !== 'check')
    throw new NotCarried('grpc_method', 'a check of gRPC asks the health protocol alone')
  fields.refuse(
    'is not carried over: the check asks about the whole server',
    'grpc_body',
    'grpc_metadata',
    'keyword',
  )
  const address = (fields.text('grpc_url') ?? '').replace(/^[a-z]+:\/\//i, '')
  const [, host, port] = /^(.*):([0-9]+)$/.exec(address) ?? [null, address, '443']
  const tls = fields.flag('grpc_enable_tls') ? { tls: {} } : {}
  return { type: 'grpc', config: { host, port: Number(port), ...tls } }
}

function websocketCheck({ fields, owner, secrets }: CheckSource): Check {
  if (loginOf(fields) !== undefined)
    throw new NotCarried('auth_method', 'a check of WebSockets logs in by headers alone')
  const headers = fields.textMap('headers')
  if (fields.texts('accepted_statuscodes').some((code) => code !== normalClosure))
    fields.note('accepted_statuscodes', 'are not carried over: the check ends with the handshake')
  fields.refuse(noCounterpart, 'ws_ignore_sec_websocket_accept_header')
  return {
    type: 'websocket',
    config: {
      url: secrets.url(owner, fields.text('url') ?? ''),
      ...stated({
        headers: Object.keys(headers).length === 0 ? undefined : secrets.headers(owner, headers),
        subprotocol: fields.text('ws_subprotocol'),
        tls: tlsOf(fields, owner, secrets),
      }),
    },
  }
}
