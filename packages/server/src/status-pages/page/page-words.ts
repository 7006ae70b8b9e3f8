// status-pages/page/page-words.ts: the words that are the same on every page, in each language.

import type { v2 } from '@pulseward/contract'
import type { Language } from '../../config/fleet-file/status-page.ts'
import type { ComponentState } from '../component-state.ts'

export interface PageWords {
  /** For Intl. */
  readonly locale: string
  /** One sentence about the whole page, by the worst state of its components. */
  readonly sentence: Readonly<Record<ComponentState, string>>
  readonly state: Readonly<Record<ComponentState, string>>
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
    readonly phase: Readonly<Record<v2.IncidentPhase, string>>
    readonly touches: (components: string) => string
    readonly updates: string
    readonly postmortem: string
    readonly back: string
    readonly none: string
  }
  readonly feeds: string
  readonly zone: (timezone: string) => string
}

const english: PageWords = {
  locale: 'en-GB',
  sentence: {
    operational: 'All systems operational',
    under_maintenance: 'Maintenance in progress',
    no_data: 'The state of some systems is not known',
    degraded_performance: 'Some systems are slower or fail at times',
    partial_outage: 'Some systems are partly down',
    major_outage: 'Some systems are down',
  },
  state: {
    operational: 'Operational',
    under_maintenance: 'Under maintenance',
    no_data: 'No data',
    degraded_performance: 'Degraded performance',
    partial_outage: 'Partial outage',
    major_outage: 'Major outage',
  },
  notUpToDate: (since) => `This page has not been up to date since ${since}.`,
  uptime: (percent) => `${percent} % uptime`,
  uptimeUnknown: 'no data yet',
  daysAgo: (days) => `${days} days ago`,
  today: 'Today',
  bars: (known, failing, unknown) =>
    `The last 90 days: ${known}; ${days(failing, 'day', 'days')} with failures, ${days(unknown, 'day', 'days')} without data.`,
  day: (date, percent) => `${date}: ${percent} %`,
  maintenance: {
    heading: 'Maintenance',
    title: (components) => `Maintenance of ${components}`,
    inProgress: 'In progress',
    announced: 'Planned',
    done: 'Done',
    none: 'No maintenance is planned in the next 14 days.',
    more: (count) => `${count} more`,
    until: (from, until) => `${from} to ${until}`,
  },
  incidents: {
    past: 'Past incidents',
    nonePast: (days) => `No incidents in the last ${days} days.`,
    history: 'All incidents by month',
    phase: {
      investigating: 'Investigating',
      identified: 'Identified',
      monitoring: 'Monitoring',
      resolved: 'Resolved',
    },
    touches: (components) => `About ${components}`,
    updates: 'Updates',
    postmortem: 'What was learned',
    back: 'Present state',
    none: 'There are no incidents.',
  },
  feeds: 'Follow this page',
  zone: (timezone) => `Times are in ${timezone}. Days are days of UTC.`,
}

const german: PageWords = {
  locale: 'de-DE',
  sentence: {
    operational: 'Alle Systeme laufen',
    under_maintenance: 'Wartung läuft',
    no_data: 'Der Zustand einiger Systeme ist nicht bekannt',
    degraded_performance: 'Einige Systeme sind langsamer oder fallen zeitweise aus',
    partial_outage: 'Einige Systeme sind teilweise ausgefallen',
    major_outage: 'Einige Systeme sind ausgefallen',
  },
  state: {
    operational: 'In Betrieb',
    under_maintenance: 'In Wartung',
    no_data: 'Keine Daten',
    degraded_performance: 'Beeinträchtigt',
    partial_outage: 'Teilweise ausgefallen',
    major_outage: 'Ausgefallen',
  },
  notUpToDate: (since) => `Diese Seite ist seit ${since} nicht mehr aktuell.`,
  uptime: (percent) => `${percent} % verfügbar`,
  uptimeUnknown: 'noch keine Daten',
  daysAgo: (days) => `Vor ${days} Tagen`,
  today: 'Heute',
  bars: (known, failing, unknown) =>
    `Die letzten 90 Tage: ${known}; ${days(failing, 'Tag', 'Tage')} mit Ausfällen, ${days(unknown, 'Tag', 'Tage')} ohne Daten.`,
  day: (date, percent) => `${date}: ${percent} %`,
  maintenance: {
    heading: 'Wartung',
    title: (components) => `Wartung von ${components}`,
    inProgress: 'Läuft',
    announced: 'Geplant',
    done: 'Beendet',
    none: 'In den nächsten 14 Tagen ist keine Wartung geplant.',
    more: (count) => `${count} weitere`,
    until: (from, until) => `${from} bis ${until}`,
  },
  incidents: {
    past: 'Vergangene Vorfälle',
    nonePast: (days) => `Keine Vorfälle in den letzten ${days} Tagen.`,
    history: 'Alle Vorfälle nach Monat',
    phase: {
      investigating: 'Wird untersucht',
      identified: 'Ursache gefunden',
      monitoring: 'Wird beobachtet',
      resolved: 'Behoben',
    },
    touches: (components) => `Betrifft ${components}`,
    updates: 'Meldungen',
    postmortem: 'Was daraus gelernt wurde',
    back: 'Aktueller Zustand',
    none: 'Es gibt keine Vorfälle.',
  },
  feeds: 'Dieser Seite folgen',
  zone: (timezone) => `Uhrzeiten in ${timezone}. Tage sind Tage in UTC.`,
}

export const pageWords: Readonly<Record<Language, PageWords>> = { en: english, de: german }

function days(count: number, one: string, several: string): string {
  return `${count} ${count === 1 ? one : several}`
}

/** Cut, not rounded: what failed once is never shown as 100. */
export function percent(share: number, locale: string): string {
  const cut = Math.floor(share * 10_000 + 1e-6) / 100
  const fractions = share === 1 ? 0 : 2
  return cut.toLocaleString(locale, { minimumFractionDigits: fractions, maximumFractionDigits: fractions })
}
