// config/fleet-file/status-page-words.ts: the words that are the same on every status page, as flat texts with places for
// values, so that a page in another language is a file and not a program. A text that counts may have a form for each
// plural of its language, as Intl.PluralRules names them; every language has `other`, which stands for the others.
import type { PageTexts } from './status-page.ts'

const english = {
  'sentence.operational': 'All systems operational',
  'sentence.under_maintenance': 'Maintenance in progress',
  'sentence.no_data': 'The state of some systems is not known',
  'sentence.degraded_performance': 'Some systems are slower or fail at times',
  'sentence.partial_outage': 'Some systems are partly down',
  'sentence.major_outage': 'Some systems are down',
  'state.operational': 'Operational',
  'state.under_maintenance': 'Under maintenance',
  'state.no_data': 'No data',
  'state.degraded_performance': 'Degraded performance',
  'state.partial_outage': 'Partial outage',
  'state.major_outage': 'Major outage',
  notUpToDate: 'This page has not been up to date since {since}.',
  uptime: '{percent} % uptime',
  uptimeUnknown: 'no data yet',
  'daysAgo.one': '{count} day ago',
  'daysAgo.other': '{count} days ago',
  today: 'Today',
  bars: 'The last 90 days: {uptime}; {failing} with failures, {unknown} without data.',
  'days.one': '{count} day',
  'days.other': '{count} days',
  day: '{date}: {percent} %',
  'maintenance.heading': 'Maintenance',
  'maintenance.title': 'Maintenance of {components}',
  'maintenance.inProgress': 'In progress',
  'maintenance.announced': 'Planned',
  'maintenance.done': 'Done',
  'maintenance.none': 'No maintenance is planned in the next 14 days.',
  'maintenance.more': '{count} more',
  'maintenance.until': '{from} to {until}',
  'incidents.past': 'Past incidents',
  'incidents.nonePast': 'No incidents in the last {days} days.',
  'incidents.history': 'All incidents by month',
  'incidents.investigating': 'Investigating',
  'incidents.identified': 'Identified',
  'incidents.monitoring': 'Monitoring',
  'incidents.resolved': 'Resolved',
  'incidents.touches': 'About {components}',
  'incidents.updates': 'Updates',
  'incidents.postmortem': 'What was learned',
  'incidents.back': 'Present state',
  'incidents.none': 'There are no incidents.',
  'auto.title': '{component} is not available',
  'auto.down': 'Our checks find that {component} is not available.',
  'auto.up': '{component} works again.',
  feeds: 'Follow this page',
  zone: 'Times are in {timezone}. Days are days of UTC.',
} as const

export type WordKey = keyof typeof english

const german: Readonly<Record<WordKey, string>> = {
  'sentence.operational': 'Alle Systeme laufen',
  'sentence.under_maintenance': 'Wartung läuft',
  'sentence.no_data': 'Der Zustand einiger Systeme ist nicht bekannt',
  'sentence.degraded_performance': 'Einige Systeme sind langsamer oder fallen zeitweise aus',
  'sentence.partial_outage': 'Einige Systeme sind teilweise ausgefallen',
  'sentence.major_outage': 'Einige Systeme sind ausgefallen',
  'state.operational': 'In Betrieb',
  'state.under_maintenance': 'In Wartung',
  'state.no_data': 'Keine Daten',
  'state.degraded_performance': 'Beeinträchtigt',
  'state.partial_outage': 'Teilweise ausgefallen',
  'state.major_outage': 'Ausgefallen',
  notUpToDate: 'Diese Seite ist seit {since} nicht mehr aktuell.',
  uptime: '{percent} % verfügbar',
  uptimeUnknown: 'noch keine Daten',
  'daysAgo.one': 'Vor {count} Tag',
  'daysAgo.other': 'Vor {count} Tagen',
  today: 'Heute',
  bars: 'Die letzten 90 Tage: {uptime}; {failing} mit Ausfällen, {unknown} ohne Daten.',
  'days.one': '{count} Tag',
  'days.other': '{count} Tage',
  day: '{date}: {percent} %',
  'maintenance.heading': 'Wartung',
  'maintenance.title': 'Wartung von {components}',
  'maintenance.inProgress': 'Läuft',
  'maintenance.announced': 'Geplant',
  'maintenance.done': 'Beendet',
  'maintenance.none': 'In den nächsten 14 Tagen ist keine Wartung geplant.',
  'maintenance.more': '{count} weitere',
  'maintenance.until': '{from} bis {until}',
  'incidents.past': 'Vergangene Vorfälle',
  'incidents.nonePast': 'Keine Vorfälle in den letzten {days} Tagen.',
  'incidents.history': 'Alle Vorfälle nach Monat',
  'incidents.investigating': 'Wird untersucht',
  'incidents.identified': 'Ursache gefunden',
  'incidents.monitoring': 'Wird beobachtet',
  'incidents.resolved': 'Behoben',
  'incidents.touches': 'Betrifft {components}',
  'incidents.updates': 'Meldungen',
  'incidents.postmortem': 'Was daraus gelernt wurde',
  'incidents.back': 'Aktueller Zustand',
  'incidents.none': 'Es gibt keine Vorfälle.',
  'auto.title': '{component} ist nicht verfügbar',
  'auto.down': 'Unsere Prüfungen ergeben, dass {component} nicht verfügbar ist.',
  'auto.up': '{component} funktioniert wieder.',
  feeds: 'Dieser Seite folgen',
  zone: 'Uhrzeiten in {timezone}. Tage sind Tage in UTC.',
}

/** By language: those that need no words of their own. */
export const pageTexts: Readonly<Record<string, Readonly<Record<WordKey, string>>>> = {
  en: english,
  de: german,
}

export function hasTexts(language: string): boolean {
  return Object.hasOwn(pageTexts, language)
}

const pluralForm = /\.(zero|one|two|few|many|other)$/

export interface WordMistake {
  /** Null: it is about all of them. */
  readonly key: string | null
  readonly message: string
}

/** Everything that is wrong with words that are to stand on a page in this language. */
export function wordMistakes(words: PageTexts, language: string): WordMistake[] {
  const forms = new Set(new Intl.PluralRules(language).resolvedOptions().pluralCategories)
  const wanted = Object.keys(english).filter((key) => {
    const form = pluralForm.exec(key)?.[1]
    return form === undefined || forms.has(form as Intl.LDMLPluralRule)
  })
  const missing = wanted.filter((key) => !Object.hasOwn(words, key))
  const mistakes: WordMistake[] = Object.entries(words).flatMap(([key, text]) => textMistakes(key, text))
  if (missing.length > 0)
    mistakes.push({ key: null, message: `lack ${someOf(missing)}; a page is in one language.` })
  return mistakes
}

function textMistakes(key: string, text: string): WordMistake[] {
  const model = modelOf(key)
  if (model === undefined)
    return [{ key, message: 'is not a word of a page; `pulseward status words` prints all.' }]
  const [placesOfModel, places] = [placesIn(model), placesIn(text)]
  const lost = [...placesOfModel].filter((place) => !places.has(place))
  const unknown = [...places].filter((place) => !placesOfModel.has(place))
  return [
    ...(text.trim() === '' ? [{ key, message: 'is empty.' }] : []),
    ...lost.map((place) => ({ key, message: `lacks {${place}}, in whose place a value is put.` })),
    ...unknown.map((place) => ({ key, message: `has {${place}}, for which there is no value.` })),
  ]
}

/** The English text of a word; for a plural that English does not have, that of its most general form. */
function modelOf(key: string): string | undefined {
  const texts: PageTexts = english
  return Object.hasOwn(texts, key) ? texts[key] : texts[key.replace(pluralForm, '.other')]
}

function placesIn(text: string): Set<string> {
  return new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, place = '']) => place))
}

const namedAtOnce = 3

function someOf(keys: readonly string[]): string {
  const named = keys.slice(0, namedAtOnce).join(', ')
  return keys.length > namedAtOnce ? `${named} and ${keys.length - namedAtOnce} more` : named
}
