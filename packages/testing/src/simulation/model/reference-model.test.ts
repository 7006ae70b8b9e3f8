// What the reference model leaves to the service, and what it does not, where runs seldom come by.
import type { Action } from '@pulseward/server/internal/deciding/actions/action.ts'
import { accepted, retry } from '@pulseward/server/internal/platform/action-outcome.ts'
import { describe, expect, it } from 'vitest'
import type { PlannedMonitor } from '../fleet-plan.ts'
import { onDismissed, onReopened } from './control-model.ts'
import { type Expected, servicePlan } from './monitor-state.ts'
import { ReferenceModel } from './reference-model.ts'
import type { Step } from './step.ts'

const id = 'edge'

/** The model of one monitor that opens with its second failure, recovers at once, and tells the chat. */
class OneMonitor {
  readonly model: ReferenceModel
  /** What the service writes of its actions. */
  written: readonly Partial<Action>[] = []
  #now = 1_000_000
  #process = 1

  constructor(colors: readonly (keyof PlannedMonitor['destinations'])[]) {
    const to = Object.fromEntries(colors.map((color) => [color, ['chat']]))
    const destinations = { ...servicePlan.destinations, ...to }
    const endpoint = { name: 'chat', type: 'webhook', version: 1 }
    const plan = {
      monitors: new Map([[id, { ...servicePlan, id, unhealthyThreshold: 2, destinations }]]),
      endpoints: new Map([[endpoint.name, endpoint]]),
    }
    this.model = new ReferenceModel(plan, {
      cooldownMs: 300_000,
      clocks: () => ({ now: this.#now, nowMs: this.#now, process: this.#process, processStartedAt: 0 }),
      shows: () => false,
      writes: (_, isMeant) => this.written.some((action) => isMeant(action as Action)),
    })
    this.model.fleetChanged(id)
  }

  checks(outcome: 'success' | 'failure', warning: string | null = null): readonly Expected[] {
    this.#now += 1_000
    const at = { startedAt: this.#now, finishedAt: this.#now, finishedMs: this.#now }
    return this.model.result(id, { outcome, warning, ...at })
  }

  starts(color: string): void {
    this.model.started(id, this.#open(color), this.#now)
  }

  ends(color: string, answer: ReturnType<typeof retry>): readonly Expected[] {
    return this.model.codeEnded(id, this.#open(color), answer, this.#now)
  }

  restarts(): void {
    this.#process++
    this.model.restarted()
  }

  #open(color: string): number {
    return this.model.monitor(id)!.actions.find((action) => action.color === color)!.key
  }
}

describe('a red that is in flight while its incident is dismissed', () => {
  const dismissed = (step: Step) => onDismissed(step, 'ada')

  function rejectedAfter(controls: readonly ((step: Step) => void)[]) {
    const edge = new OneMonitor(['red'])
    edge.checks('failure')
    edge.checks('failure')
    edge.starts('red')
    for (const control of controls) edge.model.asked(id, control)
    const shown = edge.ends('red', retry('HTTP 503'))
    return { shown, untold: edge.model.untoldAt('chat') }
  }

  it('is not tried again, and its incident is untold when it was reopened meanwhile', () => {
    const { shown, untold } = rejectedAfter([dismissed, onReopened])
    expect(shown).toMatchObject([{ type: 'action_cancelled', outcome: 'dismissed' }])
    expect(untold).toHaveLength(1)
  })

  it('leaves nothing untold while that is dismissed', () => {
    expect(rejectedAfter([dismissed]).untold).toEqual([])
  })
})

describe('a green to a destination of which a restart has forgotten what it was told', () => {
  /** One green is in flight when a warning begins, of which nothing is sent before the restart. */
  function recoversWith(written: readonly Partial<Action>[]) {
    const edge = new OneMonitor(['yellow', 'green'])
    edge.checks('failure')
    edge.starts('yellow')
    edge.ends('yellow', accepted())
    edge.checks('success')
    edge.starts('green')
    edge.checks('success', 'expires soon')
    edge.restarts()
    edge.checks('failure')
    edge.written = written
    edge.checks('success')
    return edge.ends('green', accepted())
  }

  const inFlight = { color: 'green', endpoint: 'chat', cause: 'episode', state: 'started' } as const

  it('may follow the one that is in flight', () => {
    const subject = { episodeId: '1', incidentId: null, since: null, acknowledgedBy: null, because: null }
    const followed = { ...inFlight, followUp: { cause: 'episode', ...subject } } as const
    expect(recoversWith([followed])).toMatchObject([{ type: 'action_queued', action: { color: 'green' } }])
  })

  it('need not', () => {
    expect(recoversWith([{ ...inFlight, followUp: null }])).toEqual([])
  })
})
