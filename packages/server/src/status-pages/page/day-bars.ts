// status-pages/page/day-bars.ts: 90 days as bars. Days of one kind are one path, so that a page of a hundred components stays
// small; only a day with failures has words of its own.
import { escaped } from './markup.ts'
import { type PageWords, percent } from './page-words.ts'

type Kind = 'full' | 'near' | 'slight' | 'partial' | 'bad' | 'none'

const dayMs = 86_400_000
const step = 4
const width = 3
const height = 32
/** A day without data is low, so that it is told apart without its color. */
const lowHeight = 8

function kindOf(share: number | null): Kind {
  if (share === null) return 'none'
  if (share === 1) return 'full'
  if (share >= 0.999) return 'near'
  if (share >= 0.99) return 'slight'
  return share >= 0.95 ? 'partial' : 'bad'
}

/** `today`: the last of the days, as a number of days since 1970. `known`: the uptime, in words. */
export function dayBars(
  days: readonly (number | null)[],
  today: number,
  known: string,
  words: PageWords,
): string {
  const kinds = days.map(kindOf)
  const failing = days.filter((share) => share !== null && share < 1).length
  const unknown = days.filter((share) => share === null).length
  const label = escaped(words.bars(known, failing, unknown))
  const quiet = (['full', 'none'] as const).map((kind) => {
    const path = kinds.map((other, day) => (other === kind ? bar(day, kind) : '')).join('')
    return path === '' ? '' : `<path class="${kind}" d="${path}"/>`
  })
  const date = new Intl.DateTimeFormat(words.locale, { dateStyle: 'medium', timeZone: 'UTC' })
  const failed = kinds.map((kind, day) => {
    const share = days[day] ?? null
    if (share === null || kind === 'full') return ''
    const when = date.format((today - days.length + 1 + day) * dayMs)
    const title = escaped(words.day(when, percent(share, words.locale)))
    return `<path class="${kind}" d="${bar(day, kind)}"><title>${title}</title></path>`
  })
  const box = `0 0 ${days.length * step - (step - width)} ${height}`
  return `<svg class="bars" role="img" aria-label="${label}" viewBox="${box}" preserveAspectRatio="none">${[...quiet, ...failed].join('')}</svg>`
}

function bar(day: number, kind: Kind): string {
  const tall = kind === 'none' ? lowHeight : height
  return `M${day * step} ${height - tall}h${width}v${tall}h-${width}z`
}
