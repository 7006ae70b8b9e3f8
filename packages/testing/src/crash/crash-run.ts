// crash/crash-run.ts: kills the real service at random moments under load. After every restart it checks what
// the service committed and what the providers received. At the end all targets recover, and every open
// incident must close. It stops at the first round in which something is wrong.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import type { NextHistoryEvent } from '@pulseward/contract'
import { Random } from '../random.ts'
import * as audit from './audit.ts'
import * as pages from './audit-pages.ts'
import { type CrashMonitor, crashFleet, crashMonitors } from './crash-fleet.ts'
import { CrashReceivers } from './crash-receivers.ts'
import { CrashTargets } from './crash-targets.ts'
import { CrashWriters, secretPrefix, type WriteCounts, writtenPrefix } from './crash-writers.ts'
import { KilledService, type MonitorRow } from './killed-service.ts'
import { RecoveryWitness } from './recovery-witness.ts'

export interface CrashPlan {
  readonly rounds: number
  readonly monitors: number
  readonly seed: number
  readonly readyWithinMs: number
  /** A store that is not in the data directory: its setting, and the folder of its files. */
  readonly store?: { readonly url: string; readonly files: string }
  /** Contains the fleet file and the data of the service. */
  readonly folder: { path(name: string): string; write(name: string, content: string): string }
  /** Called after each round. */
  readonly onRound: (words: string) => void
}

export interface CrashReport extends WriteCounts {
  readonly rounds: number
  readonly killedWhileStarting: number
  readonly events: number
  readonly incidents: number
  readonly notifications: number
  readonly recoveries: number
  /** Steps of pages that arrived. */
  readonly steps: number
  readonly unknownActions: number
  readonly worstReadyMs: number
  readonly violations: readonly string[]
}

/** From ready to the kill. */
const livesForMs = [300, 2_500] as const
const killedWhileStartingShare = 0.2
const startsForMs = [50, 1_000] as const
const lookEveryMs = 150
const calmWithinMs = 20_000
/** How long it may take on a busy machine until each monitor has led to a call. */
const busyWithinMs = 300_000

export async function runCrashes(plan: CrashPlan): Promise<CrashReport> {
  const random = new Random(plan.seed)
  await using targets = await CrashTargets.start(random.fork())
  await using receivers = await CrashReceivers.start(random.fork())
  const monitors = crashMonitors(plan.monitors)
  const urls = { targets: targets.url, receivers: receivers.url }
  const fleet = plan.folder.write('fleet.json', crashFleet(monitors, urls))
  const service = new KilledService({
    fleet,
    data: plan.folder.path('data'),
    ...(plan.store === undefined ? {} : { store: plan.store.url }),
  })
  await using cleanUp = new AsyncDisposableStack()
  cleanUp.defer(() => service.kill())
  const writers = new CrashWriters(service, random.fork(), targets.url)
  return await new CrashRun(plan, { random, targets, receivers, monitors, service, writers }).run()
}

interface Stage {
  readonly random: Random
  readonly targets: CrashTargets
  readonly receivers: CrashReceivers
  readonly monitors: readonly CrashMonitor[]
  readonly service: KilledService
  readonly writers: CrashWriters
}

class CrashRun {
  readonly #plan: CrashPlan
  readonly #stage: Stage
  readonly #monitors: ReadonlyMap<string, CrashMonitor>
  readonly #recoveries: RecoveryWitness
  readonly #violations: string[] = []
  #history: readonly NextHistoryEvent[] = []
  #rows = new Map<string, MonitorRow>()
  #position = 0
  #worstReadyMs = 0
  #killedWhileStarting = 0
  #rounds = 0

  constructor(plan: CrashPlan, stage: Stage) {
    this.#plan = plan
    this.#stage = stage
    this.#monitors = new Map(stage.monitors.map((monitor) => [monitor.id, monitor]))
    const { targets, receivers, random } = stage
    this.#recoveries = new RecoveryWitness(this.#monitors, (monitorId, sinceMs) =>
      targets.successesSince(monitorId, sinceMs),
    )
    receivers.onRecovery = (monitorId, decidedMs) => {
      this.#recoveries.called(monitorId, decidedMs)
      if (random.chance(0.6)) targets.mend(monitorId)
    }
  }

  async run(): Promise<CrashReport> {
    try {
      await this.#killAgainAndAgain()
      if (this.#violations.length === 0) await this.#comeToRest()
    } catch (error) {
      // The service did not start, or failed to answer: that is as wrong as a wrong answer.
      this.#violations.push((error as Error).message)
    }
    return this.#report()
  }

  async #killAgainAndAgain(): Promise<void> {
    await this.#start()
    await this.#untilBusy()
    while (this.#rounds < this.#plan.rounds && this.#violations.length === 0) {
      await this.#liveAndDie()
      await this.#restart()
      await this.#look()
      this.#rounds++
      const { writesAnswered, writesUnanswered, writesFound } = this.#stage.writers.counts
      this.#plan.onRound(
        `round ${this.#rounds}: ${this.#history.length} events; writes: ${writesAnswered} answered, ${writesUnanswered} unanswered, ${writesFound} of these found`,
      )
    }
  }

  /** A kill proves little before there is much in flight. */
  async #untilBusy(): Promise<void> {
    const { receivers, monitors } = this.#stage
    const untilMs = performance.now() + busyWithinMs
    while (receivers.receipts.length < monitors.length) {
      if (performance.now() > untilMs)
        throw new Error(`only ${receivers.receipts.length} calls of ${monitors.length} monitors have come`)
      await after(lookEveryMs)
    }
  }

  async #comeToRest(): Promise<void> {
    const { service, targets, receivers } = this.#stage
    targets.calmDown()
    receivers.calmDown()
    await this.#calm()
    await service.kill()
    const { folder, store } = this.#plan
    for (const files of [folder.path('data'), ...(store === undefined ? [] : [store.files])])
      this.#violations.push(...secretsInTheClear(files))
    await this.#start()
    await this.#look()
    this.#violations.push(...audit.changedEvents(this.#history, await service.history()))
    this.#violations.push(...(await this.#unendedPages()))
  }

  async #start(): Promise<void> {
    const readyMs = await this.#stage.service.start()
    this.#worstReadyMs = Math.max(this.#worstReadyMs, readyMs)
    if (readyMs <= this.#plan.readyWithinMs) return
    this.#violations.push(`it took ${Math.round(readyMs)} ms to be ready`)
  }

  /** The kill waits for nothing that the service does, or it would always hit the same point of its work. */
  async #liveAndDie(): Promise<void> {
    const { random, service, writers } = this.#stage
    const livesMs = random.between(...livesForMs)
    const killed = after(livesMs).then(() => service.kill())
    await Promise.all([killed, this.#watchPosition(), writers.writeOn()])
  }

  async #watchPosition(): Promise<void> {
    const { service } = this.#stage
    while (service.isRunning) {
      try {
        this.#seePosition(await service.committedPosition())
      } catch (error) {
        if (service.isRunning) throw error
      }
      await after(lookEveryMs)
    }
  }

  async #restart(): Promise<void> {
    const { random, service } = this.#stage
    while (random.chance(killedWhileStartingShare)) {
      this.#killedWhileStarting++
      await service.killWhileStarting(random.between(...startsForMs))
    }
    await this.#start()
  }

  async #look(): Promise<void> {
    const { service, receivers, writers } = this.#stage
    this.#seePosition(await service.committedPosition())
    this.#violations.push(...(await writers.look()))
    const everyEvent = await service.everyEvent()
    // Read before the history: everything that has arrived by now must be in it.
    const receipts = [...receivers.receipts]
    const before = this.#history
    this.#history = [...before, ...(await service.eventsAfter(before.at(-1) ?? null))]
    this.#violations.push(
      ...audit.missingEvents(everyEvent),
      ...writers.judgeEvents(everyEvent),
      ...audit.disorderedIncidents(this.#history),
      ...audit.disorderedActions(this.#history),
      ...audit.unfoundedCalls(this.#history, receipts),
      ...audit.openAfterRestart(before, this.#history),
      ...audit.untoldIncidents(this.#history, this.#monitors),
      ...pages.repeatedPages(receipts),
      ...pages.unpagedIncidents(this.#history, this.#monitors),
      ...pages.unsentSteps(this.#history),
      ...this.#recoveries.violations,
    )
    const rows = await service.monitors()
    this.#compareRows(rows.filter(({ monitor_id }) => !monitor_id.startsWith(writtenPrefix)))
  }

  async #calm(): Promise<void> {
    const { service } = this.#stage
    const untilMs = performance.now() + calmWithinMs
    while ((await service.openIncidents()) > 0) {
      if (performance.now() > untilMs) {
        this.#violations.push('incidents are open although every target has been well for long')
        return
      }
      await after(lookEveryMs)
    }
  }

  /** The ends of the last pages are told after the last incident has closed. */
  async #unendedPages(): Promise<string[]> {
    const untilMs = performance.now() + calmWithinMs
    for (;;) {
      const unended = pages.unendedPages(await this.#stage.service.history())
      if (unended.length === 0 || performance.now() > untilMs) return unended
      await after(lookEveryMs)
    }
  }

  #seePosition(position: number): void {
    if (position < this.#position)
      this.#violations.push(`the committed position fell from ${this.#position} to ${position}`)
    this.#position = Math.max(this.#position, position)
  }

  /** A monitor keeps its number, and counters never decrease. */
  #compareRows(rows: readonly MonitorRow[]): void {
    if (rows.length !== this.#monitors.size) this.#violations.push(`${rows.length} monitors are listed`)
    for (const row of rows) {
      const { monitor_id, id, total_samples } = row
      const before = this.#rows.get(monitor_id)
      if (before !== undefined && before.id !== id) this.#violations.push(`${monitor_id} got another number`)
      if (before !== undefined && before.total_samples > total_samples)
        this.#violations.push(
          `the samples of ${monitor_id} fell from ${before.total_samples} to ${total_samples}`,
        )
      this.#rows.set(monitor_id, row)
    }
  }

  #report(): CrashReport {
    const { receipts } = this.#stage.receivers
    const count = (type: string) => this.#history.filter((event) => event.type === type).length
    const recoveries = receipts.filter(({ kind }) => kind === 'intervention').length
    return {
      rounds: this.#rounds,
      killedWhileStarting: this.#killedWhileStarting,
      events: this.#history.length,
      incidents: count('incident_opened'),
      notifications: receipts.length - recoveries,
      recoveries,
      steps: receipts.filter(({ page }) => page?.stage === 'step').length,
      unknownActions: count('action_unknown'),
      ...this.#stage.writers.counts,
      worstReadyMs: this.#worstReadyMs,
      violations: this.#violations,
    }
  }
}

/** Values of credentials are on disk only as ciphertext, in all files. */
function secretsInTheClear(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  return files
    .filter(({ parentPath, name }) => readFileSync(join(parentPath, name)).includes(secretPrefix))
    .map(({ name }) => `${name} holds the value of a credential in the clear`)
}
