// client/files/source-format.ts: detects the content of a file from its beginning: v2 resources or a fleet
// file, and one JSON object per line or documents. Pure. A file is one or the other as a whole.

export interface SourceFormat {
  /** Every line is a separate document. */
  readonly isLines: boolean
  readonly isFleet: boolean
}

const fleetKeys = new Set([
  ...['version', 'credentials', 'endpoints', 'groups', 'routes', 'defaults', 'monitors'],
  // A line of a fleet file is a monitor.
  ...['id', 'name', 'enabled', 'tags', 'labels', 'depends_on', 'check', 'recovery', 'notify', 'maintenance'],
])

/** `name`: the file as shown to the user; `head`: its first characters. */
export function formatOf(name: string, head: string): SourceFormat {
  const lines = head.split('\n').filter((line) => !/^\s*(#.*)?$|^%|^(---|\.\.\.)\s*$/.test(line))
  const isLines = /\.ndjson$/i.test(name) || (!/\.ya?ml$/i.test(name) && isJsonLines(lines, head))
  return { isLines, isFleet: fleetKeys.has(firstKey(lines)) }
}

/** Several lines, of which the first is a complete object and the second starts one. */
function isJsonLines([first = '', second]: readonly string[], head: string): boolean {
  if (second === undefined || !second.startsWith('{') || /^---/m.test(head)) return false
  try {
    return typeof JSON.parse(first) === 'object'
  } catch {
    return false
  }
}

function firstKey(lines: readonly string[]): string {
  const text = lines
    .slice(0, 3)
    .join('\n')
    .replace(/^---\s/, '')
  return /^[\s{]*["']?([A-Za-z_]+)["']?\s*:/.exec(text)?.[1] ?? ''
}
