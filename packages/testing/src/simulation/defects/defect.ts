// simulation/defects/defect.ts: a planted defect breaks one promise of the service on purpose, from outside:
// a disk that lies, a restart with wrong data, a part whose answer is changed.
import type { v2 } from '@pulseward/contract'
import type { BulkWork } from '@pulseward/server/internal/bulk/work.ts'
import type { Engine } from '@pulseward/server/internal/engine/engine.ts'
import type { EngineParts } from '@pulseward/server/internal/engine/engine-parts.ts'
import type { ManagingVault } from '@pulseward/server/internal/managing/managing.ts'
import type { Registry } from '@pulseward/server/internal/managing/registry.ts'
import type { WritePath } from '@pulseward/server/internal/managing/write-path.ts'
import type { PushDesk } from '@pulseward/server/internal/pushing/push-desk.ts'
import type { PushMonitors } from '@pulseward/server/internal/pushing/push-monitors.ts'
import type { EventPage, Recovered } from '@pulseward/server/internal/store/store.ts'
import type { CallFaults } from '../process-calls.ts'
import type { DiskFaults } from '../simulated-disk.ts'
import type { WorkerParts } from '../workers/worker-parts.ts'
import type { WriteParts } from '../writes/write-desk.ts'

type AskedEngine = Pick<Engine, 'request' | 'applyControl' | 'turn' | 'reading'>

/** The parts that carry out controls. */
export interface ControlParts extends Pick<EngineParts, 'fleet' | 'health'> {
  readonly engine: { -readonly [Name in keyof AskedEngine]: AskedEngine[Name] }
}

type WorkingEngine = Pick<Engine, 'request' | 'applyControl'>

/** The parts that carry out operations of many items. */
export interface OperationParts {
  readonly engine: { -readonly [Name in keyof WorkingEngine]: WorkingEngine[Name] }
  readonly work: BulkWork
  readonly registry: Registry
  readonly path: { -readonly [Name in 'write' | 'paySecrets']: WritePath[Name] }
  readonly vault: { -readonly [Name in keyof ManagingVault]: ManagingVault[Name] }
}

/** The parts that take the signals of jobs. */
export interface PushParts {
  readonly pushes: PushMonitors
  readonly desk: PushDesk
  readonly parts: EngineParts
}

export interface Defect {
  readonly summary: string
  readonly disk?: DiskFaults
  readonly calls?: CallFaults
  /** Multiplies the configured recovery budget. */
  readonly budgetTimes?: number
  /** A page of the log ends at the present end of the log, not at its end when the reading began. */
  readonly readsOn?: boolean
  /** What a reader of a story gets in place of the events of the incident. */
  readonly story?: (events: EventPage['events']) => EventPage['events']
  /** What is explained in place of this. */
  readonly explained?: (explanation: v2.DecisionExplanation) => v2.DecisionExplanation
  readonly recovered?: (recovered: Recovered) => Recovered
  readonly engine?: (parts: EngineParts) => void
  /** Changes the part that serves controls. */
  readonly controls?: (parts: ControlParts) => void
  /** Changes the part that runs operations: only seeds with operations show it. */
  readonly operations?: (parts: OperationParts) => void
  /** Changes the part that external workers call: only seeds with workers show it. */
  readonly workers?: (parts: WorkerParts) => void
  /** Changes the part that takes the signals of jobs: only seeds with jobs that report by themselves show it. */
  readonly pushes?: (parts: PushParts) => void
  /** Changes the part that serves writes: only seeds with writes show it. */
  readonly writes?: (parts: WriteParts) => void
}

export type Defects = Readonly<Record<string, Defect>>

type Method = (...values: never[]) => unknown

/** Wraps a method of a part. */
export function replace<Part extends object, Name extends keyof Part>(
  part: Part,
  name: Name,
  change: (method: Part[Name] & Method) => Part[Name],
): void {
  const method = part[name] as Part[Name] & Method
  part[name] = change(method.bind(part) as Part[Name] & Method)
}
