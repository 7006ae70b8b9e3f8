// v1/words/duration-words.ts: a duration in the two largest units that matter: 250 ms, 41 s, 4 min 12 s, 2 h 5 min.
const units = [
  { name: 'd', seconds: 86_400 },
  { name: 'h', seconds: 3_600 },
  { name: 'min', seconds: 60 },
  { name: 's', seconds: 1 },
] as const

export function durationWords(ms: number): string {
  if (ms > 0 && ms < 999.5) return `${Math.max(1, Math.round(ms))} ms`
  const total = Math.max(0, Math.round(ms / 1000))
  const first = units.findIndex(({ seconds }) => total >= seconds)
  const large = units[first]
  if (large === undefined) return '0 s'
  const small = units[first + 1]
  const count = Math.floor(total / large.seconds)
  const rest = small === undefined ? 0 : Math.floor((total % large.seconds) / small.seconds)
  return rest === 0 ? `${count} ${large.name}` : `${count} ${large.name} ${rest} ${small!.name}`
}
