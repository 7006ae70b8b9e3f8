// fenced-simulation/fenced-service.ts: one process of the service on the simulated store: it stands by, takes the store over,
// checks and acts, and ends when it is fenced, stopped or killed. What decides who may act is the code of the product:
// standing by, the line of commits, the guard and the engine.

import { resolveSettings } from '@pulseward/server/internal/config/settings/resolve-settings.ts'
import { startLoop } from '@pulseward/server/internal/engine/controller-loop.ts'
import type { Engine } from '@pulseward/server/internal/engine/engine.ts'
import { recentActionsMs } from '@pulseward/server/internal/engine/engine-settings.ts'
import { TimerChain } from '@pulseward/server/internal/engine/timer-chain.ts'
import { arrange } from '@pulseward/server/internal/fleet/arrangement.ts'
import { Fleet } from '@pulseward/server/internal/fleet/fleet.ts'
import {
  CommitLine,
  type CommitLineRules,
  type PreparedBatch,
} from '@pulseward/server/internal/store/postgres/commit-line.ts'
import type { ConnectionOptions } from '@pulseward/server/internal/store/postgres/connection.ts'
import { livenessRules } from '@pulseward/server/internal/store/postgres/postgres-store.ts'
import { standBy } from '@pulseward/server/internal/store/postgres/stand-by.ts'
import { writerName } from '@pulseward/server/internal/store/postgres/take-over.ts'
import { emptyBatch } from '@pulseward/server/internal/store/record-types.ts'
import { StorageGuard } from '@pulseward/server/internal/store/storage-guard.ts'
import type { CommitBatch, CommittedBatch, Recovered } from '@pulseward/server/internal/store/store.ts'
import { silentLog } from '@pulseward/server/internal/telemetry/log.ts'
import { type CallWitness, FakeProviders, type ProviderBehaviour } from '../engine/fake-providers.ts'
import { batchOf, type CheckInFlight, FakeTargets, type TargetBehaviour } from '../engine/fake-targets.ts'
import { observedEngine } from '../engine/observed-engine.ts'
import { definitionOf } from '../fleet/fleet-files.ts'
import type { SimulatedDatabase } from './simulated-database.ts'
import { type SimulatedMachine, SimulatedProcess } from './simulated-time.ts'

export interface ServiceSurroundings {
  readonly machine: SimulatedMachine
  /** Of the machine. */
  readonly name: string
  readonly run: string
  readonly database: SimulatedDatabase
  readonly monitors: Parameters<typeof definitionOf>
  readonly targets: TargetBehaviour
  readonly providers: ProviderBehaviour
  readonly proves: CommitLineRules['proves']
  readonly letsGo: boolean
  readonly witness: CallWitness & {
    checkStarted(check: CheckInFlight): void
    acknowledged(batch: CommitBatch): void
  }
  /** It met a mistake of ours. */
  readonly failed: (error: unknown) => void
  /** The process is gone. */
  readonly ended: () => void
}

const { values: settings } = resolveSettings({
  flags: new Map(),
  environment: { PULSEWARD_ALERT_COOLDOWN: '2s', PULSEWARD_RECOVERY_BUDGET_PER_MINUTE: '10000' },
  file: null,
})
const address = { hosts: [], schema: 'pulseward' } as unknown as ConnectionOptions['address']

export class FencedService {
  readonly process: SimulatedProcess
  readonly #surroundings: ServiceSurroundings
  readonly #stopped = new AbortController()
  #active: { readonly engine: Engine; readonly storage: StorageGuard; readonly line: CommitLine } | null =
    null
  #loop: Disposable | null = null

  constructor(surroundings: ServiceSurroundings) {
    this.#surroundings = surroundings
    this.process = new SimulatedProcess(surroundings.machine)
  }

  get isActive(): boolean {
    return this.#active !== null
  }

  start(): void {
    this.process.arrive(() => {
      this.#serve().catch((error: unknown) => {
        if (this.process.isAlive && !this.#stopped.signal.aborted && !isExpected(error))
          this.#surroundings.failed(error)
        this.#end()
      })
    })
  }

  /** As its owner asks: it hands over. */
  stop(): void {
    this.process.arrive(() => {
      this.#stopped.abort(new Error('stopped'))
      const active = this.#active
      if (active === null) return this.#end()
      this.#loop?.[Symbol.dispose]()
      void active.engine.stop().then(async () => {
        await active.storage[Symbol.asyncDispose]()
        await active.line.close()
        this.#end()
      })
    })
  }

  kill(): void {
    this.#end()
  }

  async #serve(): Promise<void> {
    const { run, name, machine, database, proves } = this.#surroundings
    const writing = { address, passwordFile: null, name: writerName(run), writes: true }
    const standing = {
      card: () => ({ name, url: `http://${name}`, place: name, files: 'alike' }),
      waits: true,
      acceptsFiles: false,
      stopped: this.#stopped.signal,
      looked() {},
    }
    const now = () => machine.clock.wallMs()
    const connection = await standBy({ writing, run, now, judge: async () => {}, standing })
    const line = new CommitLine(writing, run, connection, () => prepared(emptyBatch), { beats: true, proves })
    await this.#act(line, asRead(await database.store.recover(recentActionsMs(settings))))
  }

  async #act(line: CommitLine, recovered: Recovered): Promise<void> {
    const { machine, targets, providers, witness, monitors, run, letsGo } = this.#surroundings
    const { clock } = machine
    const store = {
      liveness: { ...livenessRules, holds: () => letsGo || line.holds() },
      commit: async (batch: CommitBatch): Promise<CommittedBatch> => {
        const reached = await line.commit(() => prepared(batch))
        if (this.process.isAlive) witness.acknowledged(batch)
        return { ...reached, latencyMs: 0 }
      },
    }
    const storage = new StorageGuard(store, clock, silentLog, () => this.#end())
    const isAlive = () => this.process.isAlive
    const fleet = new Fleet(['http'])
    const checks = new FakeTargets({
      clock,
      fleet,
      behaviour: targets,
      started: (check) => witness.checkStarted(check),
      isAlive,
    })
    const actions = new FakeProviders({ clock, behaviour: providers, witness, isAlive })
    let count = 0
    const { engine } = observedEngine({
      settings,
      fleet,
      clock,
      log: silentLog,
      ids: () => `${run}-${count++}`,
      store: { committer: storage, recovered },
      sources: [{ checks }, { actions }],
    })
    storage.tell(engine)
    this.#active = { engine, storage, line }
    this.process.besides = {
      nextMs: () => Math.min(checks.nextMs, actions.nextMs),
      run: () => {
        const ended = checks.takeEnded()
        if (ended.length > 0) engine.takeResults(checks, batchOf(ended))
        actions.deliver()
      },
    }
    const arrangement = arrange(definitionOf(...monitors), null)
    await engine.start({ arrangement, credentials: new Map(), files: [] })
    if (this.process.isAlive && !this.#stopped.signal.aborted)
      this.#loop = startLoop(engine, new TimerChain(clock, () => {}))
  }

  #end(): void {
    if (!this.process.isAlive) return
    this.process.kill()
    this.#surroundings.ended()
  }
}

/** The simulated database takes the batch itself in place of its columns. */
function prepared(batch: CommitBatch): PreparedBatch {
  return { committedAt: 0, keepsUntil: null, pastKeepsUntil: null, rows: [batch], committed() {} }
}

/** What was stored is read back through JSON. */
function asRead(recovered: Recovered): Recovered {
  const { states, actions } = recovered
  return { ...recovered, ...JSON.parse(JSON.stringify({ states, actions })) }
}

/** The store says why this process does not go on; its owner starts another one. */
function isExpected(error: unknown): boolean {
  return error instanceof Error && error.name === 'StoreError'
}
