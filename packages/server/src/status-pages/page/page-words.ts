// status-pages/page/page-words.ts: the words that are the same on every page, with values in their places: those of the service,
// or those that the page has itself.
import type { v2 } from '@pulseward/contract'
import type { PageTexts } from '../../config/fleet-file/status-page.ts'
import { hasTexts, pageTexts, type WordKey } from '../../config/fleet-file/status-page-words.ts'
import type { ComponentState } from '../component-state.ts'

export interface PageWords {
  /** For Intl. */
  readonly locale: string
  /** One sentence about the whole page, by the worst state of its components. */
  readonly sentence: (state: ComponentState) => string
  readonly state: (state: ComponentState) => string
  readonly notUpToDate: (since: string) => string
  readonly uptime: (percent: string) => string
  readonly uptimeUnknown: string
  readonly daysAgo: (days: number) => string
  readonly today: string
  /** What the bars say, for people who cannot see them. */
  readonly bars: (known: string, failing: number, unknown: number) => string
  readonly day: (date: string, percent: string) => string
  readonly maintenance: {
    readonly heading: string
    readonly title: (components: string) => string
    readonly inProgress: string
    readonly announced: string
    readonly done: string
    readonly none: string
    readonly more: (count: number) => string
    readonly until: (from: string, until: string) => string
  }
  readonly incidents: {
    readonly past: string
    readonly nonePast: (days: number) => string
    readonly history: string
    readonly phase: (phase: v2.IncidentPhase) => string
    readonly touches: (components: string) => string
    readonly updates: string
    readonly postmortem: string
    readonly back: string
    readonly none: string
  }
  /** What the page says by itself. */
  readonly auto: {
    readonly title: (component: string) => string
    readonly down: (component: string) => string
    readonly up: (component: string) => string
  }
  readonly feeds: string
  readonly zone: (timezone: string) => string
}

/** In English as people in most countries write dates. */
const locales: Readonly<Record<string, string>> = { en: 'en-GB', de: 'de-DE' }

/** For Intl. */
export function localeOf(language: string): string {
  return locales[language] ?? language
}

const ofLanguages = new Map<string, PageWords>()
const ofTexts = new WeakMap<PageTexts, PageWords>()

/** `words`: in place of those that the service has of the language. */
export function wordsOf({ language, words }: { language: string; words: PageTexts | null }): PageWords {
  const known = words === null ? ofLanguages.get(language) : ofTexts.get(words)
  if (known !== undefined) return known
  const made = makeWords(language, words)
  if (words === null) ofLanguages.set(language, made)
  else ofTexts.set(words, made)
  return made
}

function makeWords(language: string, words: PageTexts | null): PageWords {
  const texts: PageTexts = words ?? pageTexts[hasTexts(language) ? language : 'en']!
  const plurals = new Intl.PluralRules(language)
  const word = (key: WordKey) => texts[key]!
  const filled = (key: WordKey, values: Readonly<Record<string, string | number>>) => fill(word(key), values)
  const counted = (key: 'days' | 'daysAgo', count: number) =>
    fill(texts[`${key}.${plurals.select(count)}`] ?? texts[`${key}.other`]!, { count })
  return {
    locale: localeOf(language),
    sentence: (state) => word(`sentence.${state}`),
    state: (state) => word(`state.${state}`),
    notUpToDate: (since) => filled('notUpToDate', { since }),
    uptime: (percent) => filled('uptime', { percent }),
    uptimeUnknown: word('uptimeUnknown'),
    daysAgo: (days) => counted('daysAgo', days),
    today: word('today'),
    bars: (uptime, failing, unknown) =>
      filled('bars', { uptime, failing: counted('days', failing), unknown: counted('days', unknown) }),
    day: (date, percent) => filled('day', { date, percent }),
    maintenance: {
      heading: word('maintenance.heading'),
      title: (components) => filled('maintenance.title', { components }),
      inProgress: word('maintenance.inProgress'),
      announced: word('maintenance.announced'),
      done: word('maintenance.done'),
      none: word('maintenance.none'),
      more: (count) => filled('maintenance.more', { count }),
      until: (from, until) => filled('maintenance.until', { from, until }),
    },
    incidents: {
      past: word('incidents.past'),
      nonePast: (days) => filled('incidents.nonePast', { days }),
      history: word('incidents.history'),
      phase: (phase) => word(`incidents.${phase}`),
      touches: (components) => filled('incidents.touches', { components }),
      updates: word('incidents.updates'),
      postmortem: word('incidents.postmortem'),
      back: word('incidents.back'),
      none: word('incidents.none'),
    },
    auto: {
      title: (component) => filled('auto.title', { component }),
      down: (component) => filled('auto.down', { component }),
      up: (component) => filled('auto.up', { component }),
    },
    feeds: word('feeds'),
    zone: (timezone) => filled('zone', { timezone }),
  }
}

/** In one pass, so that a value with braces stays as it is. */
function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place))
}

/** Cut, not rounded: what failed once is never shown as 100. */
export function percent(share: number, locale: string): string {
  const cut = Math.floor(share * 10_000 + 1e-6) / 100
  const fractions = share === 1 ? 0 : 2
  return cut.toLocaleString(locale, { minimumFractionDigits: fractions, maximumFractionDigits: fractions })
}
