// checks/http/json-path.ts: finds one value in parsed JSON. The path is a small subset of JSONPath that can
// name only one place: $, .name, ['name'], ["name"] and [0], in any order. It sees only own properties.

export const JSON_PATH_PATTERN = `^\\$(?:\\.[A-Za-z_][A-Za-z0-9_-]*|\\['[^'\\\\]*'\\]|\\["[^"\\\\]*"\\]|\\[(?:0|[1-9][0-9]{0,8})\\])*$`

const STEP = /\.([A-Za-z_][A-Za-z0-9_-]*)|\['([^']*)'\]|\["([^"]*)"\]|\[(\d+)\]/g

/** The value at the path; undefined if there is none, which JSON itself cannot hold. */
export function valueAt(document: unknown, path: string): unknown {
  let value = document
  for (const [, dotted, single, double, index] of path.matchAll(STEP)) {
    if (index !== undefined) {
      if (!Array.isArray(value)) return undefined
      value = value[Number(index)]
      continue
    }
    const name = dotted ?? single ?? double ?? ''
    if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, name)) {
      return undefined
    }
    value = (value as Record<string, unknown>)[name]
  }
  return value
}
