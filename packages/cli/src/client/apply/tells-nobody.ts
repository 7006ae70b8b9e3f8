// client/apply/tells-nobody.ts: notes that monitors of applied files tell nobody when they fail. The files show which
// monitors name nobody for red; whether a route of the service tells somebody of them, only the service knows.
import { PulsewardError } from '@pulseward/client'
import { v1Limits, type v2 } from '@pulseward/contract'
import { counted } from '@pulseward/server'
import type { Session } from '../session.ts'
import { mostNamed, someNamed } from '../some-named.ts'

/** More are counted, and not remembered. */
const mostRemembered = 10_000
const mostPages = 20
/** Of a service with more, some are named, and the rest is "at least": its lists cost it memory and time. */
const completePages = 2

/** The enabled monitors of a collection that name nobody for red. */
export class NamesNobody {
  count = 0
  readonly ids: string[] = []

  add(resource: v2.Resource): void {
    if (resource.kind !== 'Monitor' || resource.spec.enabled === false) return
    if (resource.spec.policyRef !== undefined) return
    const { dispatch, endpointRefs = [], groupRefs = [] } = resource.spec.notifications?.red ?? {}
    if (dispatch !== false && endpointRefs.length + groupRefs.length > 0) return
    this.count++
    if (this.ids.length < mostRemembered) this.ids.push(resource.metadata.id)
  }
}

/** `isApplied`: the service has these monitors now, so it can be asked. */
export async function noteNamesNobody(
  session: Session,
  names: NamesNobody,
  isApplied: boolean,
): Promise<void> {
  if (names.count === 0) return
  const silent = isApplied ? await silentOnes(session, new Set(names.ids)) : null
  if (silent === null) {
    const [name, fail] = names.count === 1 ? ['names', 'it fails'] : ['name', 'they fail']
    session.say(
      `note: ${counted(names.count, 'monitor')} ${name} nobody for red: ${someNamed(names.ids, names.count)}. Unless a route matches, nobody is told when ${fail}.`,
    )
    return
  }
  const told = names.ids.filter((id) => silent.ids.has(id))
  if (told.length === 0) return
  const isAll = silent.isComplete && names.ids.length === names.count
  const [tell, fail] = told.length === 1 ? ['tells', 'it fails'] : ['tell', 'they fail']
  session.say(
    `note: ${isAll ? '' : 'at least '}${counted(told.length, 'monitor')} ${tell} nobody when ${fail}: ${someNamed(told)}. Name an endpoint or a group for red in spec.notifications.`,
  )
}

/** Those of `wanted` that tell nobody; null if the service cannot tell. */
async function silentOnes(
  { client, signal }: Session,
  wanted: ReadonlySet<string>,
): Promise<{ readonly ids: ReadonlySet<string>; readonly isComplete: boolean } | null> {
  const ids = new Set<string>()
  try {
    for (let page = 1; page <= mostPages; page++) {
      const query = { tells_nobody: 'true', size: v1Limits.sizeCap, page } as const
      const { filters, monitors, total } = (await client.v1.listMonitors(query, { signal })).data
      // An earlier version ignores the filter, and lists every monitor.
      if (filters.tells_nobody === undefined) return null
      for (const row of monitors)
        if ('monitor_id' in row && wanted.has(row.monitor_id)) ids.add(row.monitor_id)
      if (page * v1Limits.sizeCap >= total) return { ids, isComplete: true }
      if (page >= completePages && ids.size >= mostNamed) break
    }
    return { ids, isComplete: false }
  } catch (error) {
    if (error instanceof PulsewardError) return null
    throw error
  }
}
