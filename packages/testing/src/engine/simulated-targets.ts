// engine/simulated-targets.ts: the other side of checks, without a network: each monitor's target can be told to
// go down, hang or come back, and answers in simulated time. Takes the place of the probe threads.

import type { CheckRunner } from '@pulseward/server/internal/checking/check-flow.ts'
import {
  localEvidence,
  outcomeStatuses,
  type ProbeFleet,
  type ResultBatch,
} from '@pulseward/server/internal/checking/probe/probe-protocol.ts'
import type { FleetDefinition } from '@pulseward/server/internal/config/fleet-file/definition.ts'
import { PackedReader } from '@pulseward/server/internal/platform/packed-strings.ts'
import type { FakeClock } from './fake-clock.ts'

interface Behaviour {
  readonly status: 'success' | 'failure' | 'timeout'
  readonly latencyMs: number
  readonly reason: string | null
  readonly warning: string | null
}

const healthy: Behaviour = { status: 'success', latencyMs: 5, reason: null, warning: null }

/** What a test says to a target. */
export class SimulatedTarget {
  behaviour: Behaviour = healthy
  checks = 0

  goesDown(reason = 'HTTP 503'): void {
    this.behaviour = { ...healthy, status: 'failure', reason }
  }

  hangs(): void {
    this.behaviour = { ...healthy, status: 'timeout', reason: 'no answer in time' }
  }

  warns(warning: string): void {
    this.behaviour = { ...healthy, warning }
  }

  comesBack(): void {
    this.behaviour = healthy
  }
}

interface UnderWay {
  readonly row: number
  readonly generation: number
  readonly startedMs: number
  readonly finishedMs: number
  readonly behaviour: Behaviour
}

export class SimulatedTargets implements CheckRunner {
  readonly #clock: FakeClock
  readonly #targets = new Map<string, SimulatedTarget>()
  #ids: PackedReader | null = null
  #policies: ProbeFleet['policies'] | null = null
  #underWay: UnderWay[] = []

  constructor(clock: FakeClock) {
    this.#clock = clock
  }

  of(id: string): SimulatedTarget {
    const known = this.#targets.get(id) ?? new SimulatedTarget()
    this.#targets.set(id, known)
    return known
  }

  /** The same targets for another run of the service; what was under way is heard by nobody. */
  forNextRun(): SimulatedTargets {
    const next = new SimulatedTargets(this.#clock)
    for (const [id, target] of this.#targets) next.#targets.set(id, target)
    return next
  }

  setFleet(fleet: ProbeFleet): void {
    this.#ids = new PackedReader((fleet as FleetDefinition).ids)
    this.#policies = fleet.policies
  }

  add(row: number, generation: number): void {
    const target = this.of(this.#ids!.get(row))
    target.checks++
    const { behaviour } = target
    const { timeoutMs } = this.#policies!.values[this.#policies!.of[row]!]!
    const startedMs = this.#clock.monotonicMs()
    const lastsMs = behaviour.status === 'timeout' ? timeoutMs : Math.min(behaviour.latencyMs, timeoutMs)
    this.#underWay.push({ row, generation, startedMs, finishedMs: startedMs + lastsMs, behaviour })
  }

  flush(): void {}

  /** The results that have come by now, in the order in which they came; null when there are none. */
  deliver(): ResultBatch | null {
    const nowMs = this.#clock.monotonicMs()
    const ended = this.#underWay.filter((check) => check.finishedMs <= nowMs)
    if (ended.length === 0) return null
    this.#underWay = this.#underWay.filter((check) => check.finishedMs > nowMs)
    ended.sort((left, right) => left.finishedMs - right.finishedMs)
    return {
      rows: Uint32Array.from(ended, (check) => check.row),
      generations: Uint32Array.from(ended, (check) => check.generation),
      outcomes: Uint8Array.from(ended, ({ behaviour: { status } }) => {
        return outcomeStatuses.indexOf(status) | (status === 'timeout' ? localEvidence : 0)
      }),
      startedMs: Float64Array.from(ended, (check) => check.startedMs),
      finishedMs: Float64Array.from(ended, (check) => check.finishedMs),
      latencyMs: Float32Array.from(ended, (check) => check.finishedMs - check.startedMs),
      notes: ended.flatMap(({ behaviour: { reason, warning } }, position) =>
        reason === null && warning === null
          ? []
          : [{ position, reason, warning, certificateExpiresAt: null }],
      ),
    }
  }
}
