// What the overview says in words and in shares agrees with itself and with the monitors that it is about.
import { type Status, statuses } from '@pulseward/contract'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { lookCounts, lookOf, looks } from '../../components/status-words.ts'
import type { Overview } from '../../data/overview.ts'
import { sentenceOf } from './sentence.ts'

interface Monitor {
  readonly status: Status
  readonly snoozed_until: string | null
  readonly incident: boolean
}

const generated = '2030-01-01T12:00:00.000Z'
const nowMs = Date.parse(generated)

/** As a service shows it: only monitors with this status, or that are verified or snoozed, have an open incident. */
const monitor: fc.Arbitrary<Monitor> = fc.oneof(
  fc.constantFrom(...statuses).chain((status) =>
    fc.record({
      status: fc.constant(status),
      snoozed_until: fc.constant(null),
      incident: status === 'verifying' ? fc.boolean() : fc.constant(status === 'incident'),
    }),
  ),
  fc.record({
    status: fc.constant<Status>('disabled'),
    snoozed_until: fc.constant('2030-01-01T15:00:00.000Z'),
    incident: fc.boolean(),
  }),
)
/** Few monitors make singulars, many make plurals; some fleets have monitors of one kind only. */
const fleet = fc.oneof(
  fc.array(monitor, { maxLength: 6 }),
  fc.array(monitor, { maxLength: 200 }),
  fc.tuple(monitor, fc.nat(5)).map(([one, times]) => Array<Monitor>(times).fill(one)),
)

function overviewOf(monitors: readonly Monitor[]): Overview {
  const having = (status: Status) => monitors.filter((one) => one.status === status).length
  const by_status = Object.fromEntries(statuses.map((status) => [status, having(status)]))
  return {
    generated,
    stale: null,
    total: monitors.length,
    disabled: having('disabled'),
    snoozed: monitors.filter(({ snoozed_until }) => snoozed_until !== null).length,
    by_status: by_status as Record<Status, number>,
    by_pulse_type: {},
    by_code: {},
    incidents: monitors.filter(({ incident }) => incident).length,
    up_percent: null,
    healthy_sample_percent: null,
    index_capped: false,
  }
}

function said(body: Overview, atMs: number) {
  return sentenceOf({ available: true, body, readAtMs: nowMs, stale: null, isPrevious: false }, null, atMs)
}

/** The number before these words; 0 where they are not said. */
function numberBefore(text: string, words: string): number {
  return Number(new RegExp(`(\\d+) (?:${words})`).exec(text)?.[1] ?? 0)
}

function expectLead(lead: string, up: number, checked: number): void {
  const some = /^(\d+) of (\d+) (?:checked )?monitors? (?:is|are) up\.$/.exec(lead)
  if (some !== null) expect([Number(some[1]), Number(some[2])]).toEqual([up, checked])
  const all = /^(?:All (\d+)|The one) (?:checked )?monitors? (?:is|are) up\.$/.exec(lead)
  if (all !== null) expect([Number(all[1] ?? 1), up]).toEqual([checked, checked])
}

function expectTrouble(trouble: string, open: number, elsewhere: number): void {
  expect(numberBefore(trouble, 'incidents? (is|are) open')).toBe(open)
  const part = /, (?:(\d+) of them )?of (a monitor|monitors) that (is|are)/.exec(trouble)
  expect(part === null ? 0 : Number(part[1] ?? open)).toBe(elsewhere)
  const words = elsewhere === 1 ? ['a monitor', 'is'] : ['monitors', 'are']
  if (part !== null) expect([part[2], part[3]]).toEqual(words)
}

it('has a share for every monitor, and every monitor in one share', () => {
  fc.assert(
    fc.property(fleet, (monitors) => {
      const shares = new Map(lookCounts(overviewOf(monitors)))
      for (const look of looks)
        expect(shares.get(look), look).toBe(monitors.filter((one) => lookOf(one) === look).length)
    }),
  )
})

it('says numbers that add up to the fleet, and agree with its shares and its monitors', () => {
  fc.assert(
    fc.property(fleet, (monitors) => {
      const overview = overviewOf(monitors)
      const share = (look: (typeof looks)[number]) => monitors.filter((one) => lookOf(one) === look).length
      const { lead, trouble, notes } = said(overview, nowMs)
      const beside = notes.join(' ')
      const checked = monitors.filter(({ status }) => status !== 'disabled').length
      const open = monitors.filter(({ incident }) => incident).length

      expectLead(lead, share('up') + share('degraded'), checked)
      expectTrouble(trouble ?? '', open, open - share('incident'))
      // "9 of 10 monitors" means the whole fleet, unless the sentence says otherwise.
      expect(lead.includes('checked monitor')).toBe(checked > 0 && checked < monitors.length)
      expect(numberBefore(beside, '(is|are) down')).toBe(share('down'))
      expect(numberBefore(beside, '(is|are) being verified')).toBe(share('verifying'))
      expect(numberBefore(beside, 'of those up (has|have) a warning')).toBe(share('degraded'))
      expect(numberBefore(beside, '(is|are) unknown')).toBe(share('unknown'))
      if (checked > 0)
        for (const look of ['snoozed', 'disabled'] as const)
          expect(numberBefore(beside, `(is|are) ${look}`), look).toBe(share(look))
      // A number and its verb agree.
      expect(`${trouble} ${beside}`).not.toMatch(/\b1 (incidents|are)\b|\b([02-9]|\d\d+) (incident|is)\b/)
      expect(lead).not.toMatch(/\b(0|1) of 1 (checked )?monitors|\bof 1 (checked )?monitor are/)
    }),
    { numRuns: 1_000 },
  )
})

it('says the same of the past', () => {
  fc.assert(
    fc.property(fleet, (monitors) => {
      const overview = overviewOf(monitors)
      const later = said(overview, nowMs + 120_000)
      const numbers = (text: string | null) => text?.replace('2 min ago, ', '').match(/\d+/g)?.map(Number)
      expect(numbers(later.trouble)).toEqual(numbers(said(overview, nowMs).trouble))
      expect(later.lead).toMatch(/^2 min ago, \d+ of \d+ (checked )?monitors? (was|were) up\.$/)
      const shares = new Map(lookCounts(overview))
      const working = shares.get('up')! + shares.get('degraded')!
      const checked = monitors.length - shares.get('snoozed')! - shares.get('disabled')!
      expect(numbers(later.lead)).toEqual([working, checked])
    }),
  )
})
