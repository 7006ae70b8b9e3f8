// The rules go by the time of the turn that decided: a full disk takes its batch later, when the clock may have been set.
import type { Action } from '@pulseward/server/internal/deciding/actions/action.ts'
import type { CommitBatch } from '@pulseward/server/internal/store/store.ts'
import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../engine/fake-clock.ts'
import { ActionRules } from './action-rules.ts'
import { Findings } from './findings.ts'
import { MaintenanceModel } from './maintenance-model.ts'
import { type JudgedProcess, Scene } from './scene.ts'
import { StartRules } from './start-rules.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** A process whose time is the wall clock, before a disk that takes a batch when it is told to. */
class Judged {
  readonly #clock = new FakeClock()
  readonly #findings = new Findings(() => this.#clock.trueMs)
  readonly #rules: StartRules
  readonly #records: ActionRules
  #waiting: CommitBatch[] = []

  constructor() {
    const scene = new Scene(this.#clock, { monitors: new Map(), endpoints: new Map() })
    const time = { now: () => this.#clock.wallMs() }
    scene.process = { number: 1, parts: { time } } as unknown as JudgedProcess
    this.#records = new ActionRules(scene, this.#findings)
    const limits = { interventionsPerMinute: 2, cooldownMs: 5 * minuteMs }
    this.#rules = new StartRules(scene, this.#findings, new MaintenanceModel(scene), this.#records, limits)
    this.#rules.processStarted()
    this.waits(1)
    this.#rules.failed('edge', this.#clock.trueMs)
  }

  get violated(): string | undefined {
    return this.#findings.first?.invariant
  }

  waits(ms: number): this {
    this.#clock.advance(ms)
    return this
  }

  setsClock(ms: number): this {
    this.#clock.jumpWall(ms)
    return this
  }

  starts(id: string, kind: 'code' | 'intervention'): Action {
    const now = this.#clock.wallMs()
    const isCode = kind === 'code'
    const about = { monitorId: 'edge', color: isCode ? 'gray' : null, endpoint: isCode ? 'ops' : null }
    const action = { id, kind, ...about, attempt: 1, revision: 1, episodeId: id, startedAt: now }
    return this.#hands({ ...action, state: 'started', outcome: null } as Action)
  }

  succeeds(action: Action): Action {
    return this.#hands({ ...action, revision: action.revision + 1, state: 'succeeded' })
  }

  /** Its instants move with the clock, so it is written again as it is. */
  movesInstants(action: Action): Action {
    return this.#hands({ ...action, revision: action.revision + 1, startedAt: this.#clock.wallMs() })
  }

  restarts(): this {
    this.#waiting = []
    this.#rules.processStarted()
    return this
  }

  writes(): this {
    for (const batch of this.#waiting) {
      this.#rules.written(batch)
      this.#records.written(batch)
    }
    this.#waiting = []
    return this
  }

  #hands(action: Action): Action {
    const batch = { actions: [action], events: [] } as unknown as CommitBatch
    this.#rules.handedOver(batch)
    this.#waiting.push(batch)
    return action
  }
}

describe('rules of starts', () => {
  /** A gray was delivered, and written down only after the clock was set. */
  const afterGray = (setMs: number, waitMs: number) => {
    const judged = new Judged()
    judged.succeeds(judged.starts('first', 'code'))
    judged.setsClock(setMs).writes().waits(waitMs)
    judged.starts('second', 'code')
    return judged.violated
  }

  it.each([-2 * hourMs, 2 * hourMs])('count a cooldown over a clock that was set by %i ms', (setMs) => {
    expect(afterGray(setMs, 5 * minuteMs)).toBeUndefined()
    expect(afterGray(setMs, 5 * minuteMs - 10)).toBe('cooldown')
  })

  /** Three recoveries, of which the first was written down only after the clock was set. */
  const recoveries = (setMs: number, waitMs: number) => {
    const judged = new Judged()
    judged.starts('first', 'intervention')
    judged.setsClock(setMs).writes().waits(waitMs)
    for (const id of ['second', 'third']) judged.starts(id, 'intervention')
    return judged.writes().violated
  }

  it('ask for no evidence again when the clock is set over what a worker has from before a restart', () => {
    const judged = new Judged()
    const granted = judged.starts('first', 'intervention')
    judged
      .writes()
      .restarts()
      .setsClock(-2 * hourMs)
    judged.movesInstants(granted)
    expect(judged.violated).toBeUndefined()
  })

  it('ask for evidence of a start whose first one was lost with its process', () => {
    const judged = new Judged()
    judged.starts('first', 'intervention')
    judged.restarts()
    judged.starts('first', 'intervention')
    expect(judged.violated).toBe('evidence of this process')
  })

  it.each([-2 * hourMs, 2 * hourMs])('count recoveries over a clock that was set by %i ms', (setMs) => {
    expect(recoveries(setMs, minuteMs)).toBeUndefined()
    expect(recoveries(setMs, minuteMs - 10)).toBe('recovery budget')
  })
})
