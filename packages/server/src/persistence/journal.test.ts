import { batch, deletion, event, operation, resource } from '@pulseward/testing/store'
import { beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../platform/clock.ts'
import type { CommitBatch } from '../store/store.ts'
import { SystemMeters } from '../telemetry/system-meter.ts'
import { Journal } from './journal.ts'

describe('what a turn does to resources', () => {
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

  it('goes to the store as one batch with everything else, in the order of the changes', async () => {
    const resources = [resource('a', 1), resource('a', 2), deletion('a', 3)]
    for (const write of resources) journal.keepResource(write)
    journal.keepOperation(operation(1))
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
    journal.keepOperation(operation(1))
    await journal.flush()
    journal.keepResource(resource('a', 1))
    await journal.flush()
    expect(given).toHaveLength(2)
  })

  it('is not called on disk when it cannot be stored', async () => {
    journal.continueFrom({ position: 7, lastChange: 4 })
    fails = true
    let happened = false
    journal.keepResource(resource('a', 5))
    journal.afterCommit(() => {
      happened = true
    })
    expect(await journal.flush()).toBe('uncertain')
    expect([journal.change, journal.position, happened]).toEqual([4, 7, false])
  })
})
