// import/blackbox/modules.ts: a module of blackbox_exporter: how a target is probed. It becomes a function
// from a target to a check, so that anything not carried over is noted once per module.
import { durationOf } from '../durations.ts'
import { entryOf, type Fields, noCounterpart } from '../fields.ts'
import { NotCarried } from '../fleet-draft.ts'
import { splitAddress, stated } from '../monitor-parts.ts'
import type { Secrets } from '../secrets.ts'
import { family, readTls } from './client-options.ts'
import { httpProber } from './http-module.ts'
import type { Module, ModuleSource, Prober } from './prober.ts'
import { tcpProber, websocketProber } from './talking-modules.ts'

const probers: Readonly<Record<string, (source: ModuleSource) => Prober>> = {
  http: httpProber,
  tcp: tcpProber,
  websocket: websocketProber,
  icmp({ fields }) {
    fields.refuse(noCounterpart, 'source_ip_address', 'dont_fragment', 'payload_size', 'ttl')
    const options = stated({ family: family(fields) })
    return (address) => ({ type: 'icmp', config: { host: splitAddress(address).host, count: 1, ...options } })
  },
  dns({ fields }) {
    fields.refuse(noCounterpart, 'source_ip_address', 'dns_over_tls', 'tls_config')
    fields.refuse(noCounterpart, 'validate_answer_rrs', 'validate_authority_rrs', 'validate_additional_rrs')
    if (fields.flag('recursion_desired') === false) fields.note('recursion_desired', noCounterpart)
    fields.passWhen('transport_protocol', 'udp')
    fields.passWhen('query_class', 'IN')
    fields.pass('preferred_ip_protocol', 'ip_protocol_fallback')
    const [rcode, ...others] = fields.texts('valid_rcodes')
    if (others.length > 0) fields.note('valid_rcodes', 'have several; the first is expected')
    const host = fields.text('query_name')?.replace(/(.)\.$/, '$1')
    const type = fields.text('query_type') ?? 'ANY'
    if (type === 'ANY') throw new NotCarried('query_type', 'no check asks for ANY; choose a type of record')
    const config = { host, record_type: type.toUpperCase(), ...stated({ rcode }) }
    return (address) => ({ type: 'dns', config: { ...config, server: address } })
  },
  grpc({ fields, name, secrets }) {
    fields.refuse(noCounterpart, 'metadata')
    const options = readTls(fields.fields('tls_config'), name, secrets)
    const tls = fields.flag('tls') ? (options ?? {}) : undefined
    const config = stated({ service: fields.text('service'), tls, family: family(fields) })
    return (address) => {
      const { host, port } = splitAddress(address)
      return { type: 'grpc', config: { host, ...stated({ port: port ?? undefined }), ...config } }
    }
  },
}

export function readModule(fields: Fields, name: string, secrets: Secrets): Module {
  const prober = fields.text('prober') ?? ''
  const read = entryOf(probers, prober)
  if (read === undefined)
    throw new NotCarried('prober', `there is no check for ${prober === '' ? 'it' : `"${prober}"`}`)
  const options = fields.fields(prober) ?? fields.within(prober, {})
  return { timeoutMs: durationOf(fields, 'timeout') ?? null, check: read({ fields: options, name, secrets }) }
}
