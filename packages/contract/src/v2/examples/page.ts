// v2/examples/page.ts: a last page with a few rows.

export function pageOf<Item>(...items: Item[]) {
  return { items, snapshot: '18734', generatedAt: '2026-03-29T01:00:05.000Z' }
}
