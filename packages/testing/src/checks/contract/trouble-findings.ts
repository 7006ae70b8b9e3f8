// checks/contract/trouble-findings.ts: whether a driver says the promised sentences, and whether each is
// tried with a peer.
import { formatEndpoint } from '@pulseward/server/internal/platform/network/ip-address.ts'
import { durationInWords } from '@pulseward/server/internal/platform/wording.ts'
import { type CheckScenarios, type Encounter, timeoutMsOf } from '../scenarios.ts'

/** The promised sentence for a peer, or null if there is none. */
export function promisedSentence(
  { troubles }: CheckScenarios,
  peer: string,
  encounter: Encounter,
): string | null {
  const promised = Object.values(troubles)
    .flat()
    .find((trouble) => trouble.peer === peer)
  return promised === undefined ? null : inPlace(promised.sentence, encounter)
}

/** Rows without a peer, and peers with two sentences: neither would ever be tried. */
export function troubleFindings({ troubles, peers }: CheckScenarios): string[] {
  const named = Object.values(troubles)
    .flat()
    .map(({ peer }) => peer)
  return [
    ...named
      .filter((peer) => peers[peer] === undefined)
      .map((peer) => `is not tried with the trouble of a ${peer} peer`),
    ...named
      .filter((peer, index) => named.indexOf(peer) !== index)
      .map((peer) => `has two sentences for a ${peer} peer`),
  ]
}

function inPlace(sentence: string, encounter: Encounter): string {
  const { host, port } = addressIn(encounter.config)
  return sentence
    .replaceAll('HOST:PORT', formatEndpoint(host, Number(port)))
    .replaceAll('HOST', host)
    .replaceAll('PORT', String(port))
    .replaceAll('TIMEOUT', durationInWords(timeoutMsOf(encounter)))
}

function addressIn(config: object): { host: string; port: string | number } {
  const { host = '', port = '', ...others } = config as Record<string, string>
  const named =
    others['url'] ??
    others['server'] ??
    others['engine'] ??
    (config as { brokers?: readonly string[] }).brokers?.[0]
  if (named === undefined) return { host, port }
  const parsed = new URL(named.includes('://') ? named : `any://${named}`)
  return { host: parsed.hostname.replace(/^\[|\]$/g, ''), port: parsed.port }
}
