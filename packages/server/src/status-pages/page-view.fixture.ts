// A page with two components, for tests of what is made from one.
import type { PageView } from './page-view.ts'

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
    links: [],
    state: 'operational',
    groups: [
      { name: 'Shop', components: [component('checkout', 'Checkout'), component('search', 'Search')] },
    ],
    maintenance: [],
    atMs,
    sinceMs: atMs - 7_200_000,
    changedAtMs: atMs,
    today: Math.floor(atMs / 86_400_000),
    staleSinceMs: null,
    ...changes,
  }
}
