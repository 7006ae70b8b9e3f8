// checks/dns/dns.ts: does a DNS server answer a question as it should? Bypasses every cache. The order of the answers,
// case and trailing dots in names do not matter. Every expected value must be there; others may be too.
import { type DnsMessage, type RecordType, rcodes, recordTypes } from '../../platform/network/dns-message.ts'
import { canonicalHostName } from '../../platform/network/host-name.ts'
import { canonicalIp, reverseName } from '../../platform/network/ip-address.ts'
import { closed, Duration, Host, type Infer, oneOf } from '../../platform/schema.ts'
import { Type } from '../../platform/schema-type.ts'
import { quote } from '../../platform/wording.ts'
import { assertion, CheckFailure, defineCheck, fact, type Observe, successWithin } from '../driver.ts'

const config = closed({
  host: Type.Unsafe<string>({ ...Host, description: 'The name to ask for; for PTR also an IP address.' }),
  record_type: Type.Optional(
    oneOf(Object.keys(recordTypes) as RecordType[], 'The type of record to ask for.', { default: 'A' }),
  ),
  server: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 260,
      pattern: '^[^\\s/@?#]+$',
      description: 'The server to ask, such as 9.9.9.9 or [::1]:5353; the configured resolver by default.',
    }),
  ),
  expect: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 4_096 }), {
      minItems: 1,
      maxItems: 64,
      description: 'Values that must all be in the answer, as a zone file writes them ("10 mail.test").',
    }),
  ),
  rcode: Type.Optional(oneOf(rcodes, 'The expected response code.', { default: 'NOERROR' })),
  max_latency: Type.Optional(
    Type.Unsafe<string>({ ...Duration, description: 'A success that takes longer carries a warning.' }),
  ),
})

type DnsConfig = Infer<typeof config>

export const dns = defineCheck({
  summary: 'Asks a DNS server one question and compares the answer.',
  config,
  target: ({ host, record_type, server }) =>
    `${record_type ?? 'A'} ${host}${server === undefined ? '' : ` at ${server}`}`,
  async check(config, run) {
    const type = config.record_type ?? 'A'
    const reverse = type === 'PTR' ? reverseName(config.host) : null
    const name = reverse ?? canonicalHostName(config.host) ?? config.host
    const message = await run.network.queryDns({ name, type, server: config.server ?? null }, run)
    run.mark('first_byte')
    const latencyMs = run.elapsedMs()
    requireRcode(message, config, run.observe)
    if (message.rcode === 'NOERROR') requireRecords(message, type, config, run.observe)
    return successWithin(latencyMs, config.max_latency)
  },
})

function requireRcode({ rcode }: DnsMessage, config: DnsConfig, observe: Observe): void {
  const wanted = config.rcode ?? 'NOERROR'
  observe?.(assertion('response code', rcode, wanted, rcode === wanted))
  if (rcode === wanted) return
  // The configured resolver also fails like this when our own uplink is down.
  const isOurs = config.server === undefined && rcode === 'SERVFAIL'
  const reason = `the answer for ${config.host} is ${rcode} instead of ${wanted}`
  throw new CheckFailure(reason, isOurs ? 'local' : 'target')
}

function requireRecords(
  { answers }: DnsMessage,
  type: RecordType,
  config: DnsConfig,
  observe: Observe,
): void {
  const number = recordTypes[type]
  const values = answers.filter((record) => record.type === number).map((record) => record.data)
  if (values.length === 0) throw new CheckFailure(`${config.host} has no ${type} record`)
  const { expect = [] } = config
  const missing = firstMissing(expect, values, type)
  const name = `${type} records`
  observe?.(
    expect.length === 0
      ? fact(name, listed(values))
      : assertion(name, listed(values), listed(expect), missing === null),
  )
  if (missing === null) return
  const seen = listed(values)
  throw new CheckFailure(`the ${type} records of ${config.host} lack ${quote(missing)}: there is ${seen}`)
}

/** Lists only a few: a server may send thousands, each as long as a page. */
function listed(values: readonly string[]): string {
  const [first = '', ...others] = values.slice(0, 5).map(quote)
  let text = first
  let shown = 1
  for (const value of others) {
    if (text.length > 80) break
    text += `, ${value}`
    shown++
  }
  return shown < values.length ? `${text}, …` : text
}

function firstMissing(
  expected: readonly string[],
  values: readonly string[],
  type: RecordType,
): string | null {
  const present = new Set(values.map((value) => comparable(value, type)))
  return expected.find((value) => !present.has(comparable(value, type))) ?? null
}

/** A normal form for equivalent values. Text records are compared as they are. */
function comparable(value: string, type: RecordType): string {
  switch (type) {
    case 'TXT':
      return value
    case 'A':
    case 'AAAA':
      return canonicalIp(value) ?? value
    case 'CAA':
      return value.replace(
        /^(\S+)\s+(\S+)\s+"?(.*?)"?$/,
        (_, flags, tag, issuer) => `${flags} ${String(tag).toLowerCase()} ${issuer}`,
      )
    default:
      return value
        .trim()
        .split(/\s+/)
        .map((word) => word.toLowerCase().replace(/(.)\.$/, '$1'))
        .join(' ')
  }
}
