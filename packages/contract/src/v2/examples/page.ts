// v2/examples/page.ts: a last page with one row.

export function pageOf<Item>(item: Item) {
  return { items: [item], snapshot: '18734', generatedAt: '2026-03-29T01:00:05.000Z' }
}
