import { describe, expect, it } from 'vitest'
import type { Engine } from '../engine/engine.ts'
import type { ControlTurn } from '../engine/engine-turn.ts'
import { silentLog } from '../telemetry/log.ts'
import { decideControls } from './decide-controls.ts'

describe('a control of many', () => {
  it('gives every item its outcome, also behind one that the service stumbles over', () => {
    const logged: unknown[] = []
    const log = { ...silentLog, error: (...line: unknown[]) => void logged.push(line) } as typeof silentLog
    const engine: Pick<Engine, 'applyControl'> = {
      applyControl(_turn, control) {
        if ('monitorId' in control && control.monitorId === 'b') throw new Error('a mistake of ours')
        return { done: true, before: 1, after: 2 }
      },
    }
    const items = ['a', 'b', 'c'].map((id) => ({ id, revision: 1, incidentId: null }))
    const control = { verb: 'unsnooze', reason: null, note: null, duration: null } as const
    const outcomes = decideControls({} as ControlTurn, engine, items, { control, actor: 'ann', now: 0, log })
    expect(outcomes.map(({ id, outcome }) => `${id} ${outcome}`)).toEqual([
      'a updated',
      'b failed',
      'c updated',
    ])
    expect(outcomes[1]?.message).toMatch(/^An error inside the service kept it from being done/)
    expect(logged).toHaveLength(1)
  })
})
