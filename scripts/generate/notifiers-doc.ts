// scripts/generate/notifiers-doc.ts: the pages of the notifiers: their options, what each needs, its limits,
// and what its example sends for red and for green, made by the driver itself.
import { driverShapes } from '@pulseward/server'
import type { Notifier } from '@pulseward/server/internal/notify/driver.ts'
import { notifierOf } from '@pulseward/server/internal/notify/registry.ts'
import { type DriverKind, driverPages, readExample, type Section } from './driver-doc.ts'
import { code, table } from './markdown.ts'
import { sentByExample } from './sent-by-example.ts'

export const notifierPages: DriverKind = {
  folder: 'notifications',
  title: 'Notifications',
  introduction:
    'What the `type` of an entry of `endpoints` may name. Texts from names and answers are reduced to\none line of visible text, mention no one and are never read as markup. The keys by which a provider tells alerts apart\nare made from the id of the monitor, so a rename changes nothing.',
  noun: 'Notification',
  room: 'notify',
  place: 'endpoints.NAME.config',
}

export const notifiersDoc = (): Promise<Map<string, string>> =>
  driverPages(notifierPages, driverShapes.notifiers, sectionsOf)

async function sectionsOf(name: string): Promise<Section[]> {
  const driver = notifierOf({ type: name })
  const example = readExample(notifierPages, name)
  return [
    { title: 'Needs', text: driver.needs },
    { title: 'Limits', text: [paceInWords(driver), limitsInWords(driver)].join('\n\n') },
    { title: 'What it sends', text: await sentByExample(driver, example) },
  ]
}

function paceInWords({ rate }: Notifier): string {
  const atOnce = rate.maxInFlight === 1 ? 'One at a time' : `At most ${rate.maxInFlight} at a time`
  if (rate.perSecond === null) return `${atOnce} to one destination.`
  const [count, unit] = rate.perSecond < 1 ? [rate.perSecond * 60, 'minute'] : [rate.perSecond, 'second']
  return `${atOnce} to one destination, and no more than ${Math.round(count)} per ${unit}.`
}

function limitsInWords({ limits }: Notifier): string {
  if (limits === null) return 'No text is cut for this provider.'
  const rows = Object.entries(limits.longest).map(([text, most]) => [code(text), String(most)])
  return `Longer texts are cut.\n\n${table(['Text', `At most, in ${limits.unit}`], rows)}`
}
