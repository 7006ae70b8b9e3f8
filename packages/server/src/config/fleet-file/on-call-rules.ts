// config/fleet-file/on-call-rules.ts: what a schema cannot say about people, schedules and policies: zones that exist,
// times that are real, overrides that do not overlap, and names that lead somewhere.
import type { Mistake } from '../shape/explain.ts'
import type { Path } from '../shape/shape.ts'
import { show } from '../shape/words.ts'
import { isTimezone } from './cron-words.ts'
import { localMs, zoneOfPerson } from './on-call-definition.ts'
import type { PersonDocument, PolicyDocument, ScheduleDocument } from './on-call-schema.ts'
import { missingName } from './reference-words.ts'
import type { FleetHead } from './schema.ts'

const recipients = ['schedule', 'person', 'group', 'endpoint'] as const

/** Of one entry of a section of the head, which fits its schema. */
export function onCallMistakes(section: string, entry: unknown): Mistake[] {
  if (section === 'people') return personMistakes(entry as PersonDocument)
  if (section === 'schedules') return scheduleMistakes(entry as ScheduleDocument)
  return section === 'policies' ? policyMistakes(entry as PolicyDocument) : []
}

function personMistakes({ timezone }: PersonDocument): Mistake[] {
  return zoneMistakes(['timezone'], timezone)
}

function scheduleMistakes({ timezone, layers, overrides }: ScheduleDocument): Mistake[] {
  const mistakes = zoneMistakes(['timezone'], timezone)
  for (const [index, layer] of layers?.entries() ?? []) {
    mistakes.push(...momentMistakes(['layers', index, 'start'], layer?.start))
    for (const [number, hours] of layer?.hours?.entries() ?? [])
      if (hours?.from !== undefined && hours.from === hours.to)
        mistakes.push(
          mistake(
            ['layers', index, 'hours', number, 'to'],
            'is when the hours begin; write 00:00 to 24:00 for a whole day.',
          ),
        )
  }
  for (const [index, override] of overrides?.entries() ?? []) {
    mistakes.push(...momentMistakes(['overrides', index, 'from'], override?.from))
    mistakes.push(...momentMistakes(['overrides', index, 'to'], override?.to))
  }
  return mistakes.length > 0 ? mistakes : overrideMistakes(overrides ?? [])
}

function policyMistakes({ steps, quiet }: PolicyDocument): Mistake[] {
  const mistakes = (steps ?? []).flatMap((step, index) =>
    (step?.notify ?? []).flatMap((recipient, number) => {
      // One that was refused is there without a value.
      const named = recipients.filter((key) => Object.hasOwn(recipient ?? {}, key))
      const path = ['steps', index, 'notify', number]
      const several = 'names more than one recipient; write one entry for each.'
      const none = 'names no recipient; name a schedule, a person, a group or an endpoint.'
      const extra = 'applies to a schedule or a person, which may have several endpoints; remove it.'
      const isOfPeople = named[0] === 'schedule' || named[0] === 'person'
      if (named.length !== 1) return [mistake(path, named.length === 0 ? none : several)]
      return recipient?.all_endpoints === undefined || isOfPeople
        ? []
        : [mistake([...path, 'all_endpoints'], extra)]
    }),
  )
  const [from, to] = quiet?.hours?.split('-') ?? []
  if (from !== undefined && from === to)
    mistakes.push(mistake(['quiet', 'hours'], 'begin when they end; write 00:00-24:00 for a whole day.'))
  const zone = quiet?.zone
  return zone === zoneOfPerson ? mistakes : [...mistakes, ...zoneMistakes(['quiet', 'zone'], zone)]
}

/** Names of endpoints, groups, people and schedules that do not exist. */
export function checkOnCallReferences(
  head: FleetHead,
  say: (entry: string, path: Path, message: string) => void,
): void {
  const look = (
    entry: string,
    path: Path,
    noun: string,
    name: string | undefined,
    known: object | undefined,
  ) => {
    if (name === undefined || Object.hasOwn(known ?? {}, name)) return
    say(entry, path, missingName(noun, name, Object.keys(known ?? {})))
  }
  for (const [name, person] of Object.entries(head.people ?? {}))
    for (const [index, endpoint] of person?.endpoints?.entries() ?? [])
      look(`people.${name}`, ['endpoints', index], 'endpoint', endpoint, head.endpoints)
  for (const [name, schedule] of Object.entries(head.schedules ?? {})) {
    const entry = `schedules.${name}`
    for (const [index, layer] of schedule?.layers?.entries() ?? [])
      for (const [number, person] of layer?.people?.entries() ?? [])
        look(entry, ['layers', index, 'people', number], 'person', person, head.people)
    for (const [index, override] of schedule?.overrides?.entries() ?? [])
      look(entry, ['overrides', index, 'person'], 'person', override?.person, head.people)
  }
  const known = {
    schedule: head.schedules,
    person: head.people,
    group: head.groups,
    endpoint: head.endpoints,
  }
  for (const [name, policy] of Object.entries(head.policies ?? {})) {
    const entry = `policies.${name}`
    for (const [index, step] of policy?.steps?.entries() ?? [])
      for (const [number, recipient] of step?.notify?.entries() ?? [])
        for (const key of recipients)
          look(entry, ['steps', index, 'notify', number, key], key, recipient?.[key], known[key])
    const { groups, endpoints } = policy?.last_resort ?? {}
    for (const [index, group] of groups?.entries() ?? [])
      look(entry, ['last_resort', 'groups', index], 'group', group, head.groups)
    for (const [index, endpoint] of endpoints?.entries() ?? [])
      look(entry, ['last_resort', 'endpoints', index], 'endpoint', endpoint, head.endpoints)
  }
}

function overrideMistakes(overrides: NonNullable<ScheduleDocument['overrides']>): Mistake[] {
  const mistakes: Mistake[] = []
  const inOrder = [...overrides.entries()].sort(
    ([, one], [, other]) => localMs(one.from) - localMs(other.from),
  )
  let [latest] = inOrder
  for (const entry of inOrder) {
    const [index, { from, to }] = entry
    if (localMs(to) <= localMs(from))
      mistakes.push(mistake(['overrides', index, 'to'], `${show(to)} is not after its beginning, ${from}.`))
    if (latest === undefined || latest === entry) continue
    const [other, before] = latest
    if (localMs(from) < localMs(before.to))
      mistakes.push(
        mistake(
          ['overrides', index, 'from'],
          `${show(from)} is before the end of overrides[${other}], ${before.to}; let one end before the other begins.`,
        ),
      )
    if (localMs(to) > localMs(before.to)) latest = entry
  }
  return mistakes
}

/** A date such as the 31st of February fits the pattern. */
function momentMistakes(path: Path, moment: string | undefined): Mistake[] {
  if (moment === undefined) return []
  const ms = localMs(moment)
  const isReal = !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(moment)
  return isReal ? [] : [mistake(path, `${show(moment)} is not a date and a time of day.`)]
}

function zoneMistakes(path: Path, zone: string | undefined): Mistake[] {
  return zone === undefined || isTimezone(zone)
    ? []
    : [mistake(path, `${show(zone)} is not a time zone; write one such as Europe/Berlin.`)]
}

function mistake(path: Path, message: string): Mistake {
  return { path, message }
}
