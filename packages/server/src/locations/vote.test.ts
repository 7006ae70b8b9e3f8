// What the votes of places come to: by a table of examples, and by laws over all votes of up to five places.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { OutcomeStatus } from '../checks/driver.ts'
import { placesOf } from '../config/places.ts'
import { outcomeOf, type Vote } from './vote.ts'

const names = ['fra', 'iad', 'sin', 'syd', 'gru']
const letters: Readonly<Record<string, Vote['status']>> = {
  s: 'success',
  f: 'failure',
  t: 'timeout',
  '-': 'no_data',
}

/** "sf-" is a success from fra, a failure from iad and nothing from sin. */
function votes(written: string): Vote[] {
  return [...written].map((letter, index) => ({
    location: names[index]!,
    status: letters[letter]!,
    isNotMade: letter === '-',
    latencyMs: (index + 1) * 10,
    reason: { f: 'status 503', t: null, '-': 'no probe is connected', s: null }[letter] ?? null,
    warning: null,
    certificateExpiresAt: null,
  }))
}

function statusOf(written: string, failsWhen: Parameters<typeof placesOf>[1]): OutcomeStatus {
  const { needed } = placesOf(names.slice(0, written.length), failsWhen)!
  return outcomeOf(votes(written), needed).status
}

describe('the votes of places', () => {
  it.each([
    // One place decides alone.
    ['s', 'majority', 'success'],
    ['f', 'majority', 'failure'],
    ['t', 'majority', 'timeout'],
    ['-', 'majority', 'no_data'],
    // Both of two have to fail; with one away they can succeed and not fail.
    ['ss', 'majority', 'success'],
    ['sf', 'majority', 'success'],
    ['ff', 'majority', 'failure'],
    ['f-', 'majority', 'no_data'],
    ['s-', 'majority', 'success'],
    ['--', 'majority', 'no_data'],
    // Two of three.
    ['sss', 'majority', 'success'],
    ['ssf', 'majority', 'success'],
    ['sff', 'majority', 'failure'],
    ['sft', 'majority', 'failure'],
    ['stt', 'majority', 'timeout'],
    ['ss-', 'majority', 'success'],
    ['ff-', 'majority', 'failure'],
    ['sf-', 'majority', 'no_data'],
    ['s--', 'majority', 'no_data'],
    // The failure of the only place that is left is no majority.
    ['f--', 'majority', 'no_data'],
    ['t--', 'majority', 'no_data'],
    // Three of four.
    ['ssff', 'majority', 'success'],
    ['sfff', 'majority', 'failure'],
    ['-sff', 'majority', 'no_data'],
    ['-ssf', 'majority', 'success'],
    // Any: one away is one that may fail.
    ['ssf', 'any', 'failure'],
    ['ss-', 'any', 'no_data'],
    ['sss', 'any', 'success'],
    ['--f', 'any', 'failure'],
    // All: one success is enough.
    ['sff', 'all', 'success'],
    ['-ff', 'all', 'no_data'],
    ['s--', 'all', 'success'],
    ['fff', 'all', 'failure'],
    // A number.
    ['sssff', 2, 'failure'],
    ['ssssf', 2, 'success'],
    ['sss-f', 2, 'no_data'],
  ] as const)('%s with %s is %s', (written, failsWhen, status) => {
    expect(statusOf(written, failsWhen)).toBe(status)
  })

  it('name the places that fail, and those that do not', () => {
    expect(outcomeOf(votes('ffs'), 2)).toMatchObject({
      reason: 'from fra and iad: status 503; sin succeeds',
      latencyMs: 30,
    })
    expect(outcomeOf(votes('ft-'), 2).reason).toBe(
      'from fra: status 503; from iad: timeout; no result from sin',
    )
    expect(outcomeOf(votes('f'), 1).reason).toBe('from fra: status 503')
  })

  it('say which places are missing, and that these are why', () => {
    expect(outcomeOf(votes('s--'), 2)).toMatchObject({
      reason: 'no result from iad and sin: no probe is connected; fra succeeds',
      isNotMade: true,
    })
    const driverHasNoData = votes('-').map((vote) => ({ ...vote, isNotMade: false }))
    expect(outcomeOf(driverHasNoData, 1).isNotMade).toBe(false)
  })

  it('warn of a failing minority, and unite the warnings of places', () => {
    const [fra, iad, sin] = votes('sfs') as [Vote, Vote, Vote]
    const slow = { ...fra, warning: 'slow' }
    expect(outcomeOf([fra, iad, sin], 2)).toMatchObject({
      warning: 'fails from iad: status 503',
      reason: null,
    })
    expect(outcomeOf([slow, { ...sin, location: 'syd', warning: 'slow' }, sin], 2).warning).toBe(
      'from fra and syd: slow',
    )
    expect(outcomeOf([slow, iad, sin], 2).warning).toBe('fails from iad: status 503; from fra: slow')
  })

  it('give the median latency of the successes, and the certificate that expires first', () => {
    expect(outcomeOf(votes('sss'), 2).latencyMs).toBe(20)
    expect(outcomeOf(votes('s-s'), 2).latencyMs).toBe(20)
    expect(outcomeOf(votes('ssss'), 3).latencyMs).toBe(25)
    const [fra, iad] = votes('ss') as [Vote, Vote]
    const seen = [
      { ...fra, certificateExpiresAt: 9 },
      { ...iad, certificateExpiresAt: 7 },
    ]
    expect(outcomeOf(seen, 2).certificateExpiresAt).toBe(7)
  })
})

/** The letters of up to five places, and how many have to fail. */
const ballots = fc
  .integer({ min: 1, max: 5 })
  .chain((count) =>
    fc.tuple(
      fc.array(fc.constantFrom('s', 'f', 't', '-'), { minLength: count, maxLength: count }),
      fc.integer({ min: 1, max: count }),
    ),
  )

function decided(written: readonly string[], needed: number): 'red' | 'green' | 'open' {
  const { status } = outcomeOf(votes(written.join('')), needed)
  if (status === 'no_data') return 'open'
  return status === 'success' ? 'green' : 'red'
}

function changed(written: readonly string[], index: number, letter: string): readonly string[] {
  return written.map((one, at) => (at === index ? letter : one))
}

describe('whatever the places say', () => {
  it('what is decided stays decided when a missing place answers after all', () => {
    fc.assert(
      fc.property(ballots, fc.constantFrom('s', 'f', 't'), ([written, needed], letter) => {
        const before = decided(written, needed)
        const index = written.indexOf('-')
        if (before !== 'open' && index !== -1)
          expect(decided(changed(written, index, letter), needed)).toBe(before)
      }),
    )
  })

  it('what is open could still become red, and could still become green', () => {
    fc.assert(
      fc.property(ballots, ([written, needed]) => {
        if (decided(written, needed) !== 'open') return
        const all = (letter: string) => written.map((one) => (one === '-' ? letter : one))
        expect([decided(all('f'), needed), decided(all('s'), needed)]).toEqual(['red', 'green'])
      }),
    )
  })

  it('a place that is lost never makes it red, and one that fails never makes it green', () => {
    fc.assert(
      fc.property(ballots, fc.nat(4), ([written, needed], at) => {
        const index = at % written.length
        if (decided(written, needed) !== 'red')
          expect(decided(changed(written, index, '-'), needed)).not.toBe('red')
        if (decided(written, needed) !== 'green')
          expect(decided(changed(written, index, 'f'), needed)).not.toBe('green')
      }),
    )
  })

  it('is the same in whatever order the places are written', () => {
    fc.assert(
      fc.property(ballots, ([written, needed]) => {
        expect(decided(written.toReversed(), needed)).toBe(decided(written, needed))
      }),
    )
  })
})
