// platform/json-schema/nesting.ts: how deeply a value is nested. Uses an explicit stack: the value is not validated yet.

export function isDeeperThan(value: unknown, limit: number): boolean {
  const rest: [value: unknown, depth: number][] = [[value, 0]]
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const [inner, depth] = next
    if (typeof inner !== 'object' || inner === null) continue
    if (depth >= limit) return true
    for (const member of Object.values(inner))
      if (typeof member === 'object' && member !== null) rest.push([member, depth + 1])
  }
  return false
}
