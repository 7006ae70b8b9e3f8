// import/goalert/people.ts: the users of GoAlert as people, and their contact methods as endpoints, in the order in which their
// notification rules use them.
import { carryDestination } from '../destination.ts'
import { Fields } from '../fields.ts'
import { type FleetDraft, NotCarried } from '../fleet-draft.ts'
import { monitorName } from '../monitor-parts.ts'
import { destinationOf, destinationTable } from './destinations.ts'

const mostEndpoints = 16

/** The person of each user, by the id of the user. */
export type People = ReadonlyMap<string, string>

export function readPeople(
  users: readonly Fields[],
  settings: ReadonlyMap<string, string>,
  draft: FleetDraft,
): People {
  const table = destinationTable(settings)
  const people = new Map<string, string>()
  for (const user of users)
    draft.carry(user, () => {
      const name = monitorName(user.subject, user)
      user.pass('name', 'email', 'role')
      const endpoints = methodsInOrder(user).flatMap((method) => endpointOf(method, name, table, draft) ?? [])
      const distinct = [...new Set(endpoints)]
      if (distinct.length === 0)
        throw new NotCarried('contactMethods', 'none of them can be used here, and a person needs one')
      if (distinct.length > mostEndpoints)
        user.note(
          'contactMethods',
          `are more than ${mostEndpoints}; the first ${mostEndpoints} are carried over`,
        )
      const id = draft.person(name, { name, endpoints: distinct.slice(0, mostEndpoints) })
      people.set(user.text('id') ?? '', id)
    })
  return people
}

interface Method {
  readonly fields: Fields
  readonly id: string
}

/** Methods without a rule are not used by GoAlert either. */
function methodsInOrder(user: Fields): Method[] {
  const methods = new Map(user.items('contactMethods').map((fields) => [fields.text('id') ?? '', fields]))
  const hasRules = user.keys.includes('notificationRules')
  const rules = user.items('notificationRules').map((rule) => {
    rule.pass('id')
    return { delay: rule.number('delayMinutes') ?? 0, method: rule.text('contactMethodID') ?? '' }
  })
  if (rules.some(({ delay }) => delay > 0))
    user.note(
      'notificationRules',
      'are carried over as an order: the next endpoint is tried if the one before it fails, whatever the delay',
    )
  rules.sort((one, other) => one.delay - other.delay)
  const order = hasRules ? new Set(rules.map(({ method }) => method)) : new Set(methods.keys())
  for (const [id, fields] of methods)
    if (!order.has(id)) {
      leave(fields)
      fields.note('', 'is not carried over: no notification rule uses it')
    }
  return [...order].flatMap((id) => {
    const fields = methods.get(id)
    return fields === undefined ? [] : { id, fields }
  })
}

function endpointOf(
  { fields }: Method,
  person: string,
  table: ReturnType<typeof destinationTable>,
  draft: FleetDraft,
): string | null {
  const isOff = fields.flag('disabled') === true || fields.flag('pending') === true
  const destination = fields.fields('dest')
  const label = fields.text('name') ?? ''
  leave(fields)
  if (isOff || destination === null) {
    const why = isOff ? 'it is disabled or was never verified' : 'it has no destination'
    fields.note('', `is not carried over: ${why}`)
    return null
  }
  const { type, args } = destinationOf(destination)
  const name = `${person} ${label}`.trim()
  return carryDestination(draft, table, { name, type, fields: new Fields(args, name, draft.notes) })
}

function leave(fields: Fields): void {
  fields.pass('id', 'name', 'dest', 'disabled', 'pending', 'statusUpdates')
}
