// views/overview/locations-sentence.ts: which locations have a probe that checks, and which have none.
import type { Location } from '@pulseward/contract'

/** Null where there are no locations. */
export function locationsSentence(locations: readonly Location[]): string | null {
  if (locations.length === 0) return null
  const names = (isChecking: boolean) =>
    locations.filter((location) => checks(location) === isChecking).map(({ name }) => name)
  const [connected, away] = [names(true), names(false)]
  if (away.length === 0) return `${listed(connected)} ${connected.length === 1 ? 'is' : 'are'} connected.`
  const missing = `${listed(away)} ${away.length === 1 ? 'is' : 'are'} away`
  return connected.length === 0
    ? `${missing}.`
    : `${missing}; ${listed(connected)} ${connected.length === 1 ? 'is' : 'are'} connected.`
}

function checks({ probes }: Location): boolean {
  return probes.some(({ state }) => state === 'connected')
}

function listed(names: readonly string[]): string {
  return `${names.length === 1 ? 'Location' : 'Locations'} ${new Intl.ListFormat('en-GB').format(names)}`
}
