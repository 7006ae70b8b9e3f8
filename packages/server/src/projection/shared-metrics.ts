// projection/shared-metrics.ts: metrics of the processes that share a store: from the active one, and from one that stands
// by, which has only these and those of its process.
import { type ProcessRole, processRoles } from '@pulseward/contract'
import type { Sharing, StandingView } from '../store/standing.ts'
import type { Family } from '../telemetry/exposition.ts'
import { family, seconds, single } from './metric-families.ts'

/** Null if the store is not shared. */
export function sharedFamilies(sharing: Sharing | null): Family[] {
  if (sharing === null) return []
  const standing = sharing.processes().filter(({ role }) => role === 'standby')
  return [
    roleFamily('active'),
    single('pulseward_standby_processes', standing.length),
    single('pulseward_standby_files_differ', standing.filter(({ hasSameFiles }) => !hasSameFiles).length),
    single('pulseward_store_takeovers_total', sharing.takeovers()),
  ]
}

export function standbyFamilies({ batchAgeMs, hasSameFiles, takeovers }: StandingView): Family[] {
  return [
    roleFamily('standby'),
    single('pulseward_standby_files_differ', Number(!hasSameFiles)),
    single('pulseward_standby_batch_age_seconds', seconds(batchAgeMs)),
    single('pulseward_store_takeovers_total', takeovers),
  ]
}

function roleFamily(present: ProcessRole): Family {
  return family(
    'pulseward_process_role',
    processRoles.map((role) => ({ labels: { role }, value: Number(role === present) })),
  )
}
