// kinds/in-files-alone.ts: what fleet files may have and v2 has no kind for: people, schedules and escalation policies. A
// fleet that has them stays in files, so that nobody is silently told no more.
import type { FleetDefinition } from '../config/fleet-file/definition.ts'

/** A sentence; null if all of the fleet can be in v2. */
export function inFilesAlone({
  people,
  schedules,
  escalationPolicies,
}: Pick<FleetDefinition, 'people' | 'schedules' | 'escalationPolicies'>): string | null {
  if (people.size + schedules.size + escalationPolicies.size === 0) return null
  return 'The files define people, schedules or escalation policies, which only files can have: keep this fleet in files.'
}
