import { loadFleetFiles, mistakesIn } from '@pulseward/testing/fleet'
import { describe, expect, it } from 'vitest'

const endpoints = `endpoints: { push: { type: log, config: {} }, phone: { type: log, config: {} } }`
const people = `people:
  ana: { name: Ana Berg, timezone: Europe/Berlin, endpoints: [push, phone] }
  bo: { endpoints: [phone] }`
const schedules = `schedules:
  primary:
    timezone: Europe/Berlin
    layers:
      - { people: [ana, bo], every: 1w, start: "2026-03-02T09:00" }
      - { people: [bo], start: "2026-03-02T00:00", hours: [{ days: [sat, sun], from: "22:00", to: "24:00" }] }
    overrides: [{ from: "2026-12-24T09:00", to: "2026-12-27T09:00", person: bo }]`
const policies = `policies:
  page:
    steps:
      - { notify: [{ schedule: primary }], wait: 5m }
      - { notify: [{ person: ana, all_endpoints: true }, { endpoint: phone }] }
    repeat: 2
    quiet: { hours: "22:00-07:00", zone: person, severities: [warning], then: drop }
    ack_timeout: 4h`
const monitors = `monitors:
  - { id: shop, name: Shop, policy: page, severity: warning, check: { type: http, config: { url: "http://shop/" } } }`

const whole = [endpoints, people, schedules, policies, monitors].join('\n')
const withChange = (from: string, to: string) => {
  if (!whole.includes(from)) throw new Error(`the fleet has no ${from}`)
  return whole.replace(from, to)
}

describe('people, schedules and policies of a fleet file', () => {
  it('are judged beside one that is refused as a whole', async () => {
    expect(await mistakesIn('people:\n  a/b: { endpoints: [x] }\nschedules: { c: 7 }\n')).toHaveLength(2)
  })

  it('are read', async () => {
    const { definition } = await loadFleetFiles(whole)
    expect(definition.people.get('ana')).toEqual({
      name: 'Ana Berg',
      timezone: 'Europe/Berlin',
      endpoints: ['push', 'phone'],
    })
    expect(definition.schedules.get('primary')).toEqual({
      timezone: 'Europe/Berlin',
      layers: [
        {
          people: ['ana', 'bo'],
          everyMs: 604_800_000,
          startMs: Date.parse('2026-03-02T09:00Z'),
          hours: null,
        },
        {
          people: ['bo'],
          everyMs: 604_800_000,
          startMs: Date.parse('2026-03-02T00:00Z'),
          hours: [{ days: [6, 0], fromMinute: 1320, toMinute: 1440 }],
        },
      ],
      overrides: [
        { fromMs: Date.parse('2026-12-24T09:00Z'), toMs: Date.parse('2026-12-27T09:00Z'), person: 'bo' },
      ],
    })
    expect(definition.escalationPolicies.get('page')).toMatchObject({
      steps: [{ waitMs: 300_000 }, { waitMs: 300_000 }],
      repeat: 2,
      quiet: { fromMinute: 1320, toMinute: 420, timezone: null, severities: ['warning'], drops: true },
      ackTimeoutMs: 14_400_000,
      escalatesOwned: false,
    })
    expect(definition.notifications.values[definition.notifications.of[0]!]).toMatchObject({
      policy: 'page',
      severity: 'warning',
    })
  })

  it.each([
    [
      'a person without endpoints',
      'bo: { endpoints: [phone] }',
      'bo: { endpoints: [] }',
      'people.bo.endpoints',
    ],
    ['a person that says nothing of endpoints', 'bo: { endpoints: [phone] }', 'bo: {}', 'people.bo'],
    [
      'a layer without people',
      'people: [bo], start',
      'people: [], start',
      'schedules.primary.layers[1].people',
    ],
    [
      'a schedule without people',
      schedules,
      'schedules: { primary: { layers: [] } }',
      'schedules.primary.layers',
    ],
    [
      'a person in a zone that does not exist',
      'timezone: Europe/Berlin, endpoints',
      'timezone: Berlin, endpoints',
      'people.ana.timezone: "Berlin" is not a time zone',
    ],
    [
      'quiet hours in a zone that does not exist',
      'zone: person',
      'zone: persons',
      'policies.page.quiet.zone: "persons" is not a time zone',
    ],
    [
      'a zone that does not exist',
      'primary:\n    timezone: Europe/Berlin',
      'primary:\n    timezone: Europe/Bern',
      '"Europe/Bern" is not a time zone; write one such as Europe/Berlin.',
    ],
  ])('refuses %s', async (_, from, to, words) => {
    const mistakes = await mistakesIn(withChange(from, to))
    expect(mistakes).toHaveLength(1)
    expect(mistakes[0]).toContain(words)
  })

  it.each([
    [
      'a person that is not there',
      'person: bo }',
      'person: boo }',
      'there is no person "boo". Did you mean "bo"?',
    ],
    ['an endpoint that was removed', '[push, phone] }', '[pager] }', 'there is no endpoint "pager".'],
    [
      'a schedule that was removed',
      'schedule: primary',
      'schedule: second',
      'there is no schedule "second".',
    ],
    ['a policy that was removed', 'policy: page', 'policy: gone', 'there is no policy "gone".'],
    [
      'a recipient that names none',
      '{ schedule: primary }',
      '{}',
      'names no recipient; name a schedule, a person, a group or an endpoint.',
    ],
    [
      'a recipient that names two',
      '{ schedule: primary }',
      '{ schedule: primary, person: ana }',
      'names more than one recipient; write one entry for each.',
    ],
    [
      'all endpoints of an endpoint',
      '{ endpoint: phone }',
      '{ endpoint: phone, all_endpoints: true }',
      'applies to a schedule or a person, which may have several endpoints; remove it.',
    ],
    [
      'a time that is none',
      'start: "2026-03-02T09:00"',
      'start: "2026-02-30T09:00"',
      '"2026-02-30T09:00" is not a date and a time of day.',
    ],
    [
      'an override that ends before it begins',
      'to: "2026-12-27T09:00"',
      'to: "2026-12-23T09:00"',
      '"2026-12-23T09:00" is not after its beginning, 2026-12-24T09:00.',
    ],
    [
      'hours that end when they begin',
      'from: "22:00", to: "24:00"',
      'from: "22:00", to: "22:00"',
      'is when the hours begin; write 00:00 to 24:00 for a whole day.',
    ],
    [
      'overrides that overlap',
      'person: bo }]',
      'person: bo }, { from: "2026-12-26T09:00", to: "2026-12-28T09:00", person: ana }]',
      '"2026-12-26T09:00" is before the end of overrides[0], 2026-12-27T09:00; let one end before the other begins.',
    ],
    [
      'quiet hours of no length',
      '"22:00-07:00"',
      '"22:00-22:00"',
      'begin when they end; write 00:00-24:00 for a whole day.',
    ],
  ])('refuses %s', async (_, from, to, words) => {
    const mistakes = await mistakesIn(withChange(from, to))
    expect(mistakes).toHaveLength(1)
    expect(mistakes[0]).toContain(words)
  })

  it('lets one override begin when another ends', async () => {
    const next = 'person: bo }, { from: "2026-12-27T09:00", to: "2026-12-28T09:00", person: ana }]'
    expect(await mistakesIn(withChange('person: bo }]', next))).toEqual([])
  })

  it('lets a route have a policy alone, and refuses one that does nothing', async () => {
    const routed = (route: string) => `${whole}\nroutes: [${route}]`
    const { definition } = await loadFleetFiles(routed('{ match: { team: a }, policy: page }'))
    const destinations = { groups: [], endpoints: [] }
    const route = {
      name: 'routes.0',
      match: { team: 'a' },
      colors: [],
      destinations,
      policy: 'page',
      order: 0,
    }
    expect(definition.routes).toEqual([route])
    expect((await mistakesIn(routed('{ match: {} }')))[0]).toContain('does nothing; give it a policy')
    expect((await mistakesIn(routed('{ match: {}, endpoints: [push] }')))[0]).toContain(
      'does not say in colors',
    )
    expect((await mistakesIn(routed('{ match: {}, policy: nope }')))[0]).toContain(
      'there is no policy "nope"',
    )
  })
})
