// served-duties.ts: who is on call by the schedules of a service, as it answers: now by its own clock, or at another moment.
import { v2 } from '@pulseward/contract'
import { inParallel } from './client/in-parallel.ts'
import { everyRow } from './client/pages.ts'
import type { Session } from './client/session.ts'
import { readAgain } from './client/try-again.ts'
import type { Duty } from './duty.ts'

export const operationsOfDuties = ['ListSchedules', 'GetShifts'] as const

const dayMs = 86_400_000
const mostAtOnce = 8

/** `atMs`: null for now. */
export async function servedDuties({ client, signal }: Session, atMs: number | null): Promise<Duty[]> {
  const duties: Duty[] = []
  for await (const { metadata, spec, status } of everyRow(client.listSchedules, {}, { signal })) {
    const { personRef, name, until, nextPersonRef } = status?.onCall ?? {}
    duties.push({
      schedule: metadata.id,
      timezone: spec.timezone ?? 'UTC',
      person: personRef ?? null,
      name: name ?? null,
      until: until ?? null,
      next: nextPersonRef ?? null,
    })
  }
  if (atMs === null) return duties
  const asked = duties.keys()
  await inParallel(asked, mostAtOnce, async (index) => {
    const { schedule: id } = duties[index]!
    const from = new Date(atMs).toISOString()
    const to = new Date(atMs + v2.limits.shiftDays * dayMs).toISOString()
    const { data } = await readAgain(signal, () => client.getShifts({ id, from, to }, { signal }))
    duties[index] = { ...duties[index]!, ...firstDuty(data) }
  })
  return duties
}

/** Where an override of the same person begins or ends, nobody takes over. */
function firstDuty({ shifts, to: end }: v2.ShiftList): Pick<Duty, 'person' | 'name' | 'until' | 'next'> {
  const [first] = shifts
  const change = shifts.findIndex(({ personRef }) => personRef !== first?.personRef)
  const next = shifts[change]
  const until = next?.from ?? (shifts.at(-1)?.to === end ? null : (shifts.at(-1)?.to ?? null))
  return {
    person: first?.personRef ?? null,
    name: first?.name ?? null,
    until,
    next: next?.personRef ?? null,
  }
}
