// simulation/oracle/next-rules.ts: what an explanation says comes next does, at its time and not before, unless something else
// happened in between: the process ended or could not store, the fleet or the clock changed, or people stepped in. The
// next check that fails opens the incident if the explanation said so.
import type { v2 } from '@pulseward/contract'
import { EngineReading } from '@pulseward/server/internal/engine/engine-reading.ts'
import { Explanations } from '@pulseward/server/internal/explaining/explanations.ts'
import { OnCallViews } from '@pulseward/server/internal/projection/v2/on-call-views.ts'
import type { CommitBatch } from '@pulseward/server/internal/store/store.ts'
import type { CheckInFlight } from '../../engine/fake-targets.ts'
import { count } from '../tally.ts'
import type { ExplanationRulesOptions } from './explanation-rules.ts'
import type { Scene } from './scene.ts'

/** Monitors that are asked about at once: one of all, and others that are not well. */
const askedAtOnce = 5
/** A tick may be this much later or earlier than what it is for. */
const slackMs = 2_000

type Kind = 'check' | 'window' | 'snooze' | 'step'

const kinds: readonly (readonly [RegExp, Kind])[] = [
  [/^It is checked again/, 'check'],
  [/^Maintenance (begins|ends)/, 'window'],
  [/^The snooze ends/, 'snooze'],
  [/^The policy .* tells step \d+\.$/, 'step'],
]

interface Promised {
  readonly kind: Kind
  readonly monitorId: string
  readonly text: string
  readonly at: number
  /** What is another when it has come. */
  readonly sign: string
  /** Something happened that may change it. */
  isDisturbed: boolean
}

export interface NextRulesOptions
  extends Pick<ExplanationRulesOptions, 'findings' | 'tally' | 'random' | 'store' | 'change'> {
  readonly scene: Scene
}

export class NextRules {
  readonly #options: NextRulesOptions
  #promised: Promised[] = []
  /** Checks started, by monitor. */
  readonly #checks = new Map<string, number>()
  /** Whose next failed check opens the incident. */
  readonly #opening = new Set<string>()
  readonly #problems: string[] = []
  /** A process that is there ticks more often than this can be late. */
  #lookedAt = 0

  constructor(options: NextRulesOptions) {
    this.#options = options
  }

  /** Asks what comes next for some monitors. */
  async ask(): Promise<void> {
    const { random, scene } = this.#options
    for (let asked = 0; asked < askedAtOnce && scene.process !== null; asked++) {
      const rows = [...scene.rows()]
      const troubled = rows.filter(([, row]) => scene.statusAt(row) !== 'up')
      const choice = asked > 0 && troubled.length > 0 ? troubled : rows
      if (choice.length > 0) await this.#askOf(random.pick(choice)[0])
    }
  }

  async #askOf(id: string): Promise<void> {
    const { change, scene, store, tally } = this.#options
    const { fleet, parts } = scene.running
    const engine = new EngineReading(parts, () => true)
    const onCall = new OnCallViews(fleet, engine)
    const explanations = new Explanations({ fleet, engine, onCall, store: store(), clock: scene.clock })
    const explained = await explanations.ofMonitor(id, null)
    if (explained === null || scene.process === null) return
    const explanation = change(explained)
    for (const one of explanation.next) this.#promise(id, one)
    count(tally.compared, 'what comes next')
  }

  checkStarted({ monitorId }: CheckInFlight): void {
    this.#checks.set(monitorId, (this.#checks.get(monitorId) ?? 0) + 1)
  }

  /** These results were taken. */
  checksEnded(checks: readonly CheckInFlight[]): void {
    for (const { monitorId, end } of checks) {
      if (!this.#opening.delete(monitorId)) continue
      if (end.status === 'failure' || end.status === 'timeout') this.#requireIncident(monitorId)
    }
  }

  /** These events were decided. Windows depend on nothing of them. */
  handedOver({ events }: CommitBatch): void {
    for (const { monitorId, type } of events) {
      const isControl = type.startsWith('control_')
      if (monitorId !== null && isControl) this.#opening.delete(monitorId)
      for (const one of this.#promised)
        one.isDisturbed ||=
          one.kind === 'step'
            ? isControl || /^(escalation|incident)_/.test(type)
            : one.kind !== 'window' && one.monitorId === monitorId
    }
  }

  /** The process ended, could not store, was not running for a while, or got another fleet or another time. */
  somethingHappened(): void {
    this.#promised = []
    this.#opening.clear()
  }

  look(): void {
    const { scene } = this.#options
    const now = scene.clock.wallMs()
    if (now - this.#lookedAt > slackMs) this.somethingHappened()
    this.#lookedAt = now
    this.#promised = this.#promised.filter((promised) => {
      const { at, kind, monitorId, text } = promised
      promised.isDisturbed ||= this.#isBusy(promised, now)
      const { isDisturbed } = promised
      const words = `${JSON.stringify(text)} of ${monitorId}`
      const off = Math.round(now - at)
      if (this.#signOf(kind, monitorId) === promised.sign) {
        if (now <= at + slackMs) return true
        if (!isDisturbed) this.#note(`${words} did not come ${off} ms after its time`)
      } else if (now < at - slackMs) {
        // A page also changes with its members.
        if (!isDisturbed && kind !== 'step') this.#note(`${words} came ${-off} ms before its time`)
      } else count(this.#options.tally.compared, `came next: ${kind}`)
      return false
    })
  }

  /** A check that is still in flight takes the place of the next one. */
  #isBusy({ at, kind, monitorId }: Promised, now: number): boolean {
    return kind === 'check' && now >= at - slackMs && this.#isInFlight(monitorId)
  }

  #isInFlight(monitorId: string): boolean {
    const { fleet, parts } = this.#options.scene.running
    return parts.checks.scheduler.isInFlight(fleet.rowOf(monitorId))
  }

  /** After all other rules, whose findings say more of what is wrong. */
  judge(): void {
    for (const problem of this.#problems) this.#options.findings.note('what comes next', problem)
  }

  #note(problem: string): void {
    this.#problems.push(problem)
  }

  #promise(monitorId: string, { at, text }: v2.ComingChange): void {
    const kind = kinds.find(([begin]) => begin.test(text))?.[1]
    if (kind === undefined || at === undefined) return
    if (kind === 'check' && !this.#isTimely(monitorId)) return
    if (kind === 'check' && /the incident opens/.test(text)) this.#opening.add(monitorId)
    // It may still be in flight at the next slot, and end before it is looked at.
    if (kind === 'check' && this.#isInFlight(monitorId)) return
    const isKnown = this.#promised.some((one) => one.kind === kind && one.monitorId === monitorId)
    const sign = this.#signOf(kind, monitorId)
    if (!isKnown && sign !== null)
      this.#promised.push({ kind, monitorId, text, at: Date.parse(at), sign, isDisturbed: false })
  }

  /** A worker takes a job when it likes, and a check that waits for its turn already starts before the next slot. */
  #isTimely(monitorId: string): boolean {
    const { scene } = this.#options
    return scene.monitor(monitorId)?.isExternal !== true && scene.running.parts.checks.queue.depth === 0
  }

  /** Null if there is nothing to look at. */
  #signOf(kind: Kind, monitorId: string): string | null {
    const { fleet, parts } = this.#options.scene.running
    const row = fleet.rowOf(monitorId)
    if (row === -1) return null
    switch (kind) {
      case 'check':
        return String(this.#checks.get(monitorId) ?? 0)
      case 'window':
        return String(parts.maintenance.stateOf(row).active)
      case 'snooze':
        return String(parts.health.snoozeOf(row) !== null)
      case 'step': {
        return JSON.stringify(parts.escalations.pageOf(monitorId))
      }
    }
  }

  #requireIncident(monitorId: string): void {
    const { scene, tally } = this.#options
    const { fleet, parts } = scene.running
    const row = fleet.rowOf(monitorId)
    if (row === -1) return
    const { episode, lastOutcome } = parts.health.of(row)
    const reading = new EngineReading(parts, () => true)
    const isWithheld =
      lastOutcome === 'own_fault' ||
      reading.windowOf(row).active ||
      reading.ancestorsOf(row, episode?.firstFailureAt ?? 0).kind !== 'clear'
    if (isWithheld) return
    count(tally.compared, 'came next: incident')
    if ((episode?.incident ?? null) === null)
      this.#note(`a check of ${monitorId} failed, and the incident did not open`)
  }
}
