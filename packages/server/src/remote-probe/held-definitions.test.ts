// What a probe keeps of the definitions that it was lent, as its threads read it.
import { Buffer } from 'node:buffer'
import { beforeEach, describe, expect, it } from 'vitest'
import type { ProbeAmendment, ProbeFleet } from '../checking/probe/probe-protocol.ts'
import { sharedValue } from '../config/fleet-file/definition.ts'
import type { Definition } from '../locations/messages.ts'
import { PackedReader } from '../platform/packed-strings.ts'
import { HeldDefinitions } from './held-definitions.ts'

/** Stands in for the threads. */
class Threads {
  fleet: ProbeFleet | null = null
  credentials: ReadonlyMap<string, string> = new Map()
  rows: number[] = []

  setFleet(fleet: ProbeFleet, credentials: ReadonlyMap<string, string>): void {
    this.fleet = fleet
    this.credentials = credentials
  }

  amendFleet(fleet: ProbeFleet, { rows, credentials }: ProbeAmendment): void {
    this.fleet = fleet
    this.credentials = credentials ?? this.credentials
    this.rows = [...rows]
  }

  configOf(number: number): string {
    return new PackedReader(this.fleet!.configs).get(number)
  }

  policyOf(number: number) {
    return sharedValue(this.fleet!.policies, number)
  }

  /** Whether the text is anywhere in the memory that threads share. */
  holds(text: string): boolean {
    return this.fleet!.configs.chunks.some((chunk) => Buffer.from(chunk).includes(text))
  }
}

const definition = (number: number, more: Partial<Definition> = {}): Definition => ({
  number,
  type: 'http',
  intervalMs: 10_000,
  timeoutMs: 5_000,
  retries: 0,
  config: `{"url":"https://target-${number}.example"}`,
  credentials: {},
  ...more,
})

let threads: Threads
let held: HeldDefinitions
beforeEach(() => {
  threads = new Threads()
  held = new HeldDefinitions(threads)
})

describe('lent definitions', () => {
  it('are read by their numbers, in any order and beyond the room that there was', () => {
    held.define([definition(3, { timeoutMs: 7_000 }), definition(5_000)])
    expect(threads.configOf(3)).toBe('{"url":"https://target-3.example"}')
    expect(threads.policyOf(3)).toMatchObject({ type: 'http', timeoutMs: 7_000, enabled: true })
    expect(threads.configOf(5_000)).toContain('target-5000')
    expect([held.count, threads.rows]).toEqual([2, [3, 5_000]])
  })

  it('are replaced, and nothing of the old one stays in memory', () => {
    held.define([definition(1, { config: '{"url":"https://old.example"}' })])
    held.define([definition(1, { config: '{"url":"https://new.example"}' })])
    expect(threads.configOf(1)).toBe('{"url":"https://new.example"}')
    expect([threads.holds('old.example'), held.count]).toEqual([false, 1])
  })

  it('are gone from memory when they are forgotten, with the credentials that no other names', () => {
    held.define([
      definition(1, { credentials: { one: 'secret-1', both: 'secret-2' } }),
      definition(2, { credentials: { both: 'secret-2' } }),
    ])
    expect([...threads.credentials]).toEqual([
      ['one', 'secret-1'],
      ['both', 'secret-2'],
    ])
    held.forget(Uint32Array.of(1, 77))
    expect([threads.holds('target-1'), threads.holds('target-2')]).toEqual([false, true])
    expect([...threads.credentials]).toEqual([['both', 'secret-2']])
    expect(threads.policyOf(1).enabled).toBe(false)
    expect(held.count).toBe(1)
  })

  it('take new values of credentials', () => {
    held.define([definition(1, { credentials: { one: 'before' } })])
    held.define([definition(1, { credentials: { one: 'after' } })])
    expect(threads.credentials.get('one')).toBe('after')
    held.define([definition(1)])
    expect(threads.credentials.size).toBe(0)
  })

  it('are all gone when the session is over', () => {
    held.define([definition(1, { credentials: { one: 'secret' } })])
    const before = threads.fleet!.configs
    held.clear()
    expect(before.chunks.some((chunk) => Buffer.from(chunk).includes('target-1'))).toBe(false)
    expect([held.count, threads.credentials.size]).toEqual([0, 0])
  })
})
