// editions/edition.ts: what an edition is: which read model, which readiness rule, which routes. An edition is
// chosen once, by name, in choose-edition.ts; nothing else asks which one runs.
import type { Route } from '../api/route.ts'
import type { Settings } from '../config/settings/setting-table.ts'
import type { Controller } from '../controller/controller.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { Clock } from '../platform/clock.ts'
import type { LoopLagMeter } from '../telemetry/loop-lag.ts'
import type { Progress } from '../telemetry/progress.ts'

/** What every edition is built on. */
export interface Foundation {
  readonly settings: Settings
  readonly clock: Clock
  readonly fleet: Fleet
  readonly progress: Progress
  readonly controller: Controller
  readonly loopLag: LoopLagMeter
}

export interface Edition {
  readonly routes: readonly Route[]
  /** In words, for the line that says where data lies. */
  readonly dataPlace: string
  /** Begins whatever the edition does by itself, once the listener is open. */
  start(): void
  [Symbol.dispose](): void
}

export type BuildEdition = (foundation: Foundation) => Edition

/** Longest time without progress, or age of a snapshot, with which a service still counts as ready. */
export const freshForMs = 30_000
