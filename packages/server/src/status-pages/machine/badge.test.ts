// Badges: what each says, and that nothing else is in them.
import { describe, expect, it } from 'vitest'
import type { BadgeFigure } from '../../config/fleet-file/status-page.ts'
import type { ComponentState } from '../component-state.ts'
import { pageViewOf } from '../page-view.fixture.ts'
import type { ComponentView } from '../page-view.ts'
import { badgeFiles, unknownBadge } from './badge.ts'

function badgeOf(shows: BadgeFigure, changes: Partial<ComponentView> = {}, label: string | null = null) {
  const [group] = pageViewOf({}).groups
  const view = pageViewOf({ groups: [{ name: '', components: [{ ...group!.components[0]!, ...changes }] }] })
  const files = badgeFiles({ shows, label })
  return {
    json: JSON.parse(files(view, 'json')!.body),
    svg: files(view, 'svg')!.body,
    other: files(view, 'png'),
  }
}

describe('a badge', () => {
  it.each<[BadgeFigure, string, string, string]>([
    ['status', 'status', 'operational', 'green'],
    ['uptime-24h', 'uptime 24 h', '50.00 %', 'red'],
    ['uptime-7d', 'uptime 7 d', '99.99 %', 'green'],
    ['uptime-30d', 'uptime 30 d', '100 %', 'green'],
    ['uptime-90d', 'uptime 90 d', '100 %', 'green'],
    ['latency', 'latency', '12 ms', 'blue'],
  ])('of %s says it, for shields.io and as a picture', (shows, label, message, color) => {
    const { json, svg, other } = badgeOf(shows)
    expect(json).toEqual({ schemaVersion: 1, label, message, color })
    expect(svg).toContain(`<title>${label}: ${message}</title>`)
    expect(svg).toContain(`>${message}</text>`)
    expect(other).toBeNull()
  })

  it.each<[ComponentState, string, string]>([
    ['major_outage', 'major outage', 'red'],
    ['partial_outage', 'partial outage', 'orange'],
    ['degraded_performance', 'degraded', 'yellow'],
    ['under_maintenance', 'maintenance', 'blue'],
    ['no_data', 'no data', 'lightgrey'],
  ])('of a component that is %s says so', (state, message, color) => {
    expect(badgeOf('status', { state }).json).toMatchObject({ message, color })
  })

  it('says that nothing is known, and is never green then', () => {
    const nothing = {
      uptime: null,
      uptimeOf30Days: null,
      uptimeOf7Days: null,
      uptimeOf24Hours: null,
      latencyMs: null,
    }
    for (const shows of ['uptime-24h', 'uptime-7d', 'uptime-30d', 'uptime-90d', 'latency'] as const)
      expect(badgeOf(shows, nothing).json).toMatchObject({ message: 'no data', color: 'lightgrey' })
  })

  it('has its label as text, and no name of the component', () => {
    const { svg, json } = badgeOf('status', { name: 'Inside' }, '<b>"&\u0000')
    expect(svg).toContain('<title>&lt;b&gt;&quot;&amp;: operational</title>')
    expect(svg + JSON.stringify(json)).not.toContain('Inside')
    expect(svg).not.toContain('<b>')
  })

  it('that nobody has is grey', () => {
    expect(JSON.parse(unknownBadge('json')!.body)).toMatchObject({
      message: 'not found',
      color: 'lightgrey',
      isError: true,
    })
    expect(unknownBadge('svg')!.body).toContain('not found')
  })
})
