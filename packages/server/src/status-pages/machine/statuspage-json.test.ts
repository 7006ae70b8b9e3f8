// A page as clients of Atlassian Statuspage read it: every field that they know is there, with a value of its type.
import { describe, expect, it } from 'vitest'
import type { ComponentState } from '../component-state.ts'
import { incidentOf, pageViewOf, windowOf } from '../page-view.fixture.ts'
import type { PageView } from '../page-view.ts'
import { renderFile } from '../render-file.ts'
import { statuspagePaths } from './statuspage-json.ts'

type Fields = Record<string, unknown>

const read = (view: PageView, name: string) =>
  JSON.parse(renderFile(view, `api/v2/${name}.json`)!.body) as Fields
const maintenanceAt = (id: string, fromMs: number, untilMs: number) =>
  windowOf({ id, componentIds: ['search'], fromMs, untilMs })
const hourMs = 3_600_000
const { atMs } = pageViewOf({})
const withMaintenance = pageViewOf({
  maintenance: [
    maintenanceAt('done', atMs - 2 * hourMs, atMs - hourMs),
    maintenanceAt('open', atMs - hourMs, atMs + hourMs),
    maintenanceAt('next', atMs + hourMs, atMs + 2 * hourMs),
  ],
})

describe('the documents', () => {
  it('are those of Statuspage, each with the page', () => {
    expect(statuspagePaths).toEqual([
      'api/v2/summary.json',
      'api/v2/status.json',
      'api/v2/components.json',
      'api/v2/incidents.json',
      'api/v2/incidents/unresolved.json',
      'api/v2/scheduled-maintenances.json',
      'api/v2/scheduled-maintenances/upcoming.json',
      'api/v2/scheduled-maintenances/active.json',
    ])
    for (const path of statuspagePaths) {
      const { type, body, isOpen } = renderFile(withMaintenance, path)!
      expect([type, isOpen]).toEqual(['application/json; charset=utf-8', true])
      expect(JSON.parse(body).page).toEqual({
        id: 'shop',
        name: 'Example Shop',
        url: 'https://status.shop.example/',
        time_zone: 'UTC',
        updated_at: '2024-10-04T12:00:00.000Z',
      })
    }
    expect(renderFile(withMaintenance, 'api/v2/other.json')).toBeNull()
    expect(Object.keys(read(withMaintenance, 'summary'))).toEqual([
      'page',
      'components',
      'incidents',
      'scheduled_maintenances',
      'status',
    ])
  })

  it.each<[ComponentState, string]>([
    ['operational', 'none'],
    ['degraded_performance', 'minor'],
    ['no_data', 'minor'],
    ['partial_outage', 'major'],
    ['major_outage', 'critical'],
    ['under_maintenance', 'maintenance'],
  ])('give %s the indicator %s', (state, indicator) => {
    expect(read(pageViewOf({ state }), 'status')['status']).toMatchObject({ indicator })
  })
})

it('a component has each field, and stands after its group', () => {
  const [group, checkout, search] = read(pageViewOf({}), 'components')['components'] as Fields[]
  expect(checkout).toEqual({
    id: 'checkout',
    name: 'Checkout',
    status: 'operational',
    created_at: '2024-10-04T10:00:00.000Z',
    updated_at: '2024-10-04T11:00:00.000Z',
    position: 1,
    description: null,
    showcase: false,
    start_date: null,
    group_id: group!['id'],
    page_id: 'shop',
    group: false,
    only_show_if_degraded: false,
  })
  expect(group).toMatchObject({
    name: 'Shop',
    group: true,
    group_id: null,
    components: ['checkout', 'search'],
  })
  expect(search).toMatchObject({ id: 'search', position: 2 })
})

it('what is not known is never operational', () => {
  const [group] = pageViewOf({}).groups
  const components = group!.components.map((one) => ({ ...one, state: 'no_data' as const }))
  const document = read(pageViewOf({ groups: [{ name: 'Shop', components }] }), 'components')
  const states = (document['components'] as Fields[]).map(({ status }) => status)
  expect(states).toEqual(['degraded_performance', 'degraded_performance', 'degraded_performance'])
})

describe('maintenance', () => {
  it.each([
    ['scheduled-maintenances', ['completed', 'in_progress', 'scheduled']],
    ['scheduled-maintenances/upcoming', ['scheduled']],
    ['scheduled-maintenances/active', ['in_progress']],
    ['summary', ['in_progress', 'scheduled']],
  ])('is in %s by its phase', (name, phases) => {
    const found = read(withMaintenance, name)['scheduled_maintenances'] as Fields[]
    expect(found.map(({ status }) => status)).toEqual(phases)
  })

  it('has each field', () => {
    const [next] = read(withMaintenance, 'scheduled-maintenances/upcoming')[
      'scheduled_maintenances'
    ] as Fields[]
    const announced = '2024-09-20T13:00:00.000Z'
    expect(next).toEqual({
      id: 'next',
      name: 'Maintenance of Search',
      status: 'scheduled',
      created_at: announced,
      updated_at: announced,
      monitoring_at: null,
      resolved_at: null,
      impact: 'maintenance',
      shortlink: 'https://status.shop.example/',
      started_at: '2024-10-04T13:00:00.000Z',
      page_id: 'shop',
      incident_updates: [
        {
          id: 'next-scheduled',
          status: 'scheduled',
          body: 'Maintenance of Search',
          incident_id: 'next',
          created_at: announced,
          updated_at: announced,
          display_at: announced,
          affected_components: [
            { code: 'search', name: 'Search', old_status: 'operational', new_status: 'operational' },
          ],
          deliver_notifications: false,
          custom_tweet: null,
          tweet_id: null,
        },
      ],
      components: [expect.objectContaining({ id: 'search', position: 2, group: false })],
      scheduled_for: '2024-10-04T13:00:00.000Z',
      scheduled_until: '2024-10-04T14:00:00.000Z',
    })
  })
})

describe('incidents', () => {
  const updates = [
    { phase: 'investigating' as const, atMs: atMs - 2 * hourMs, text: 'We *look* into it.' },
    { phase: 'monitoring' as const, atMs: atMs - hourMs, text: 'It is mended.' },
  ]
  const open = incidentOf({ id: 'open', phase: 'monitoring', startedAtMs: updates[0]!.atMs, updates })
  const over = incidentOf({
    id: 'over',
    phase: 'resolved',
    resolvedAtMs: atMs,
    changedAtMs: atMs,
    updates: [...updates, { phase: 'resolved', atMs, text: 'All is well.' }],
    postmortem: 'A disk was full.',
  })
  const view = pageViewOf({ incidents: [over, open] })
  const idsIn = (name: string) => (read(view, name)['incidents'] as Fields[]).map(({ id }) => id)

  it('are in summary and unresolved while they last, and in incidents for good', () => {
    expect(['summary', 'incidents/unresolved', 'incidents'].map(idsIn)).toEqual([
      ['open'],
      ['open'],
      ['over', 'open'],
    ])
  })

  it('have each field, the newest update first', () => {
    const [first, second] = read(view, 'incidents')['incidents'] as Fields[]
    expect(second).toMatchObject({
      id: 'open',
      name: 'Payments fail',
      status: 'monitoring',
      created_at: '2024-10-04T10:00:00.000Z',
      monitoring_at: '2024-10-04T11:00:00.000Z',
      resolved_at: null,
      impact: 'major',
      shortlink: 'https://status.shop.example/incidents/open.html',
      started_at: '2024-10-04T10:00:00.000Z',
      page_id: 'shop',
      components: [expect.objectContaining({ id: 'checkout', group: false })],
    })
    expect(first).toMatchObject({ status: 'postmortem', resolved_at: '2024-10-04T12:00:00.000Z' })
    const said = first!['incident_updates'] as Fields[]
    expect(said.map(({ status, body }) => [status, body])).toEqual([
      ['postmortem', 'A disk was full.'],
      ['resolved', 'All is well.'],
      ['monitoring', 'It is mended.'],
      ['investigating', 'We *look* into it.'],
    ])
    expect(said[1]!['affected_components']).toEqual([
      { code: 'checkout', name: 'Checkout', old_status: 'partial_outage', new_status: 'operational' },
    ])
    expect(new Set(said.map(({ id }) => id)).size).toBe(4)
  })
})

it('maintenance that people wrote has their words', () => {
  const written = {
    title: 'New database',
    updates: [{ phase: null, atMs: atMs - hourMs / 2, text: 'Half of it is done.' }],
  }
  const one = { ...maintenanceAt('db', atMs - hourMs, atMs + hourMs), announcedAtMs: 0, written }
  const [found] = read(pageViewOf({ maintenance: [one] }), 'scheduled-maintenances/active')[
    'scheduled_maintenances'
  ] as Fields[]
  expect(found).toMatchObject({ name: 'New database', created_at: '1970-01-01T00:00:00.000Z' })
  expect((found!['incident_updates'] as Fields[]).map(({ body, status }) => [body, status])).toEqual([
    ['Half of it is done.', 'in_progress'],
    ['New database', 'in_progress'],
  ])
})
