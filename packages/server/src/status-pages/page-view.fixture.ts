// A page with two components, for tests of what is made from one.
import type { PageView } from './page-view.ts'
import { announcedMs, type Maintenance } from './planned-maintenance.ts'
import type { WrittenIncident } from './written-incident.ts'

const atMs = Date.parse('2024-10-04T12:00:00Z')

export function pageViewOf(changes: Partial<PageView>): PageView {
  const component = (id: string, name: string) => ({
    id,
    name,
    description: null,
    state: 'operational' as const,
    changedAtMs: atMs - 3_600_000,
    days: Array.from({ length: 90 }, () => 1),
    uptime: 1,
    uptimeOf30Days: 1,
    uptimeOf7Days: 0.9999,
    uptimeOf24Hours: 0.5,
    latencyMs: 12,
  })
  return {
    id: 'shop',
    url: 'https://status.shop.example/',
    title: 'Example Shop',
    timezone: 'UTC',
    language: 'en',
    words: null,
    logo: null,
    links: [],
    state: 'operational',
    groups: [
      { name: 'Shop', components: [component('checkout', 'Checkout'), component('search', 'Search')] },
    ],
    incidents: [],
    maintenance: [],
    atMs,
    sinceMs: atMs - 7_200_000,
    changedAtMs: atMs,
    today: Math.floor(atMs / 86_400_000),
    staleSinceMs: null,
    ...changes,
  }
}

/** A window of monitors. */
export function windowOf(one: Omit<Maintenance, 'announcedAtMs' | 'written'>): Maintenance {
  return { ...one, announcedAtMs: one.fromMs - announcedMs, written: null }
}

/** An incident of the last hour, which somebody looks into. */
export function incidentOf(changes: Partial<WrittenIncident>): WrittenIncident {
  const startedAtMs = atMs - 3_600_000
  return {
    id: 'payments-fail',
    title: 'Payments fail',
    phase: 'investigating',
    states: [['checkout', 'partial_outage']],
    impact: 'partial_outage',
    startedAtMs,
    resolvedAtMs: null,
    changedAtMs: startedAtMs,
    updates: [{ phase: 'investigating', atMs: startedAtMs, text: 'We are **looking**.' }],
    postmortem: null,
    isAuto: false,
    ...changes,
  }
}
