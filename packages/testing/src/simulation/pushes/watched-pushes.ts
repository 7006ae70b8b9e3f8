// simulation/pushes/watched-pushes.ts: the source of jobs that report by themselves in one process, watched from outside: which
// signals it takes, what it says of silence, and which results it passes on.

import { outcomeStatuses } from '@pulseward/server/internal/checking/probe/probe-protocol.ts'
import type { Engine } from '@pulseward/server/internal/engine/engine.ts'
import type { EngineParts } from '@pulseward/server/internal/engine/engine-parts.ts'
import { PushDesk } from '@pulseward/server/internal/pushing/push-desk.ts'
import type { ArrivedSignal, PushMonitors } from '@pulseward/server/internal/pushing/push-monitors.ts'
import type { Recovered } from '@pulseward/server/internal/store/store.ts'
import { replace } from '../defects/defect.ts'
import type { World } from '../world.ts'
import type { JobSignal } from './job-signal.ts'

export interface OpenPushesOptions {
  readonly world: World
  readonly pushes: PushMonitors
  readonly engine: Engine
  readonly parts: EngineParts
  readonly recovered: Recovered
  readonly isAlive: () => boolean
}

/** Before the engine starts. */
export function openPushes({
  world,
  pushes,
  engine,
  parts,
  recovered,
  isAlive,
}: OpenPushesOptions): PushDesk {
  // A killed process takes no signal that has arrived before.
  const request: Engine['request'] = (unstored, work) =>
    isAlive() ? engine.request(unstored, work) : new Promise(() => {})
  const desk = new PushDesk({ monitors: pushes, engine: { request }, clock: world.clock })
  world.defect?.pushes?.({ pushes, desk, parts })
  watch(world, pushes, parts)
  pushes.tell(engine.reading, recovered)
  return desk
}

/** What a planted defect changes is seen as any other behaviour. */
function watch(world: World, pushes: PushMonitors, parts: EngineParts): void {
  const { oracle, clock } = world
  const { fleet, journal, checks } = parts
  replace(pushes, 'take', (take) => (turn, owner, signal) => {
    const taken = take(turn, owner, signal)
    const id = taken === 'gone' ? null : fleet.idOf(owner.row)
    if (id !== null) oracle.pushes.taken(id, signal as ArrivedSignal & JobSignal, taken === 'taken')
    return taken
  })
  replace(pushes, 'unreachable', (unreachable) => (fromMs, untilMs) => {
    oracle.pushes.unheard(fromMs, untilMs)
    unreachable(fromMs, untilMs)
  })
  replace(journal, 'addEvent', (addEvent) => (event) => {
    oracle.pushes.told(event)
    addEvent(event)
  })
  replace(checks, 'takeResults', (takeResults) => (turn, source, batch) => {
    if (source === pushes) {
      const nowMs = clock.monotonicMs()
      for (const [position, row] of batch.rows.entries()) {
        const note = batch.notes.find((one) => one.position === position)
        oracle.jobReported({
          monitorId: fleet.idOf(row),
          row,
          generation: batch.generations[position]!,
          startedMs: nowMs,
          finishedMs: nowMs,
          end: {
            status: outcomeStatuses[batch.outcomes[position]!]!,
            ...{ isLocal: false, lastsMs: 0, warning: null },
            reason: note?.reason ?? null,
          },
        })
      }
    }
    takeResults(turn, source, batch)
  })
}
