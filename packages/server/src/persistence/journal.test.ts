import { action, batch, deletion, event, health, operation, resource } from '@pulseward/testing/store'
import { beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../platform/clock.ts'
import { type RecordOf, type RecordType, recordTypeNames } from '../store/record-types.ts'
import type { CommitBatch } from '../store/store.ts'
import { SystemMeters } from '../telemetry/system-meter.ts'
import { Journal } from './journal.ts'

let given: CommitBatch[]
let fails: boolean
let journal: Journal
beforeEach(() => {
  given = []
  fails = false
  const commit = async (one: CommitBatch) => {
    given.push(one)
    if (fails) throw new Error('the disk is full')
    return { position: given.flatMap(({ events }) => events).length, latencyMs: 1 }
  }
  journal = new Journal({ commit }, systemClock, new SystemMeters(systemClock.monotonicMs()).add('commit'))
})

describe('what a turn does to resources', () => {
  it('goes to the store as one batch with everything else, in the order of the changes', async () => {
    const resources = [resource('a', 1), resource('a', 2), deletion('a', 3)]
    for (const write of resources) journal.keep('resources', write)
    journal.keep('operations', operation(1))
    journal.addEvent(event(null))
    const flushed = journal.flush()
    expect(journal.uncommitted).toBe(5)
    expect(await flushed).toBe('stored')
    expect(given).toEqual([batch({ resources, operations: [operation(1)], events: [event(null)] })])
    expect([journal.change, journal.position, journal.uncommitted]).toEqual([3, 1, 0])
    expect(await journal.flush()).toBe('stored')
    expect(given).toHaveLength(1)
  })

  it('is stored also when nothing else was decided', async () => {
    journal.keep('operations', operation(1))
    await journal.flush()
    journal.keep('resources', resource('a', 1))
    await journal.flush()
    expect(given).toHaveLength(2)
  })

  it('is not called on disk when it cannot be stored', async () => {
    journal.continueFrom({ position: 7, lastChange: 4 })
    fails = true
    let happened = false
    journal.keep('resources', resource('a', 5))
    journal.afterCommit(() => {
      happened = true
    })
    expect(await journal.flush()).toBe('uncertain')
    expect([journal.change, journal.position, happened]).toEqual([4, 7, false])
  })
})

describe('what a turn decides', () => {
  it.for(recordTypeNames)(
    'is stored, and holds new checks back until then, when it is only %s',
    async (type) => {
      journal.keep(type, {} as RecordOf<RecordType>)
      const flushed = journal.flush()
      expect(journal.uncommitted).toBe(1)
      await flushed
      expect(journal.uncommitted).toBe(0)
      expect(given).toEqual([batch({ [type]: given[0]![type] })])
    },
  )

  it('is stored as its last, where a turn decides the same state or action again', async () => {
    const [first, second] = [action('a', 1), action('b', 1)]
    for (const one of [first, second, { ...first, attempt: 2 }]) journal.keepAction(one)
    journal.keepState(1, health(1))
    journal.keepState(1, null)
    await journal.flush()
    const states = [{ numericId: 1, health: null }]
    expect(given).toEqual([batch({ actions: [{ ...first, attempt: 2 }, second], states })])
  })

  it('is forgotten when the turn is discarded', async () => {
    journal.keepState(1, health(1))
    journal.discard()
    journal.keepState(1, null)
    await journal.flush()
    expect(given).toEqual([batch({ states: [{ numericId: 1, health: null }] })])
  })
})
