// managing/lost-references.ts: references from v2 resources to what no fleet file has any more. The fleet
// skips such a reference, and it is reported until it is fixed: the file has the target again, v2 has it, or
// nothing refers to it. Looks at distinct values and not at monitors, except to name one monitor per loss.
import { v2 } from '@pulseward/contract'
import type { NotifyDefinition } from '../config/fleet-file/definition.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { kindNamed, kindOf } from '../kinds/kind-table.ts'
import { referencesOf } from '../kinds/references.ts'
import { namedFew, type OperatorProblem } from './operator-problems.ts'
import type { Registry } from './registry.ts'

/** Files refer only to files, and were validated: so a lost reference always comes from a v2 resource. */
export function lostReferences(fleet: Fleet, registry: Registry): OperatorProblem | null {
  const lost = new Map<string, string>()
  for (const user of v2.resourceKinds)
    for (const { id, spec } of user === 'Monitor' ? [] : registry.allCommitted(user))
      for (const [number, named] of referencesOf(kindOf(user), spec, registry.drivers)) {
        const kind = kindNamed(number)
        const { inFiles, names } = v2.kinds[kind]
        if (inFiles && !registry.has(kind, named))
          lost.set(`${names[0]} ${named}`, `${v2.kinds[user].noun}/${id}`)
      }
  // Values with a lost reference, to find a monitor that has them.
  const lossy = { notifications: new Map<unknown, string[]>(), dependencies: new Map<unknown, string[]>() }
  fleet.someHas('notifications', (notify) => {
    const names = lostDestinations(notify, registry)
    if (names.length > 0) lossy.notifications.set(notify, names)
    return false
  })
  fleet.someHas('dependencies', (parents) => {
    const names = parents.filter((id) => !registry.has('Monitor', id)).map((id) => `monitor ${id}`)
    if (names.length > 0) lossy.dependencies.set(parents, names)
    return false
  })
  for (const part of ['notifications', 'dependencies'] as const)
    for (const [name, user] of usersOf(fleet, part, lossy[part])) if (!lost.has(name)) lost.set(name, user)
  return lost.size === 0 ? null : problemOf(lost)
}

function lostDestinations({ colors, policy }: NotifyDefinition, registry: Registry): string[] {
  const destinations = Object.values(colors).flatMap(({ endpoints, groups }) => [
    ...endpoints.filter((id) => !registry.has('NotificationEndpoint', id)).map((id) => `endpoint ${id}`),
    ...groups.filter((id) => !registry.has('NotificationGroup', id)).map((id) => `group ${id}`),
  ])
  return policy === undefined || registry.has('Policy', policy)
    ? destinations
    : [...destinations, `policy ${policy}`]
}

/** One walk over the fleet, and only while something is lost. */
function* usersOf(
  fleet: Fleet,
  part: 'notifications' | 'dependencies',
  lossy: Map<unknown, string[]>,
): Generator<[name: string, user: string]> {
  if (lossy.size === 0) return
  const { values, of } = fleet.definition[part]
  for (const row of fleet.rowsInUse()) {
    const value: unknown = values[of[row] ?? 0]
    const names = lossy.get(value)
    if (names === undefined) continue
    for (const name of names) yield [name, `monitor/${fleet.idOf(row)}`]
    lossy.delete(value)
    if (lossy.size === 0) return
  }
}

function problemOf(lost: ReadonlyMap<string, string>): OperatorProblem {
  const named = namedFew([...lost].map(([name, user]) => `${name} (${user})`))
  const words = `resources of v2 refer to what no fleet file has any more, which is skipped: ${named}`
  const sentence = `Resources of v2 refer to what no fleet file has any more, and the references are skipped: ${named}. Put it back into a file, create it through v2, or take the references out.`
  return { words, sentence, count: lost.size }
}
