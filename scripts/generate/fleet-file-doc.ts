// scripts/generate/fleet-file-doc.ts: every key of a fleet file as a page, from the schema that validates it. Rules over
// several keys, which a schema cannot express, are written here; monitor-rules.ts and fleet-rules.ts enforce them.
import { driverShapes, fleetFileJsonSchema } from '@pulseward/server'
import { code, madeFrom, table } from './markdown.ts'
import { cellsOf, keyColumns, keyRows, type Shape, typeInWords } from './schema-reference.ts'

export async function fleetFileDoc(): Promise<Map<string, string>> {
  return new Map([['docs/generated/fleet-file.md', page()]])
}

function page(): string {
  const { properties = {} } = fleetFileJsonSchema(driverShapes) as Shape
  return `${madeFrom('packages/server/src/config/fleet-file/schema.ts')}
# Fleet file

What is watched. How to use fleet files is told in [configuration](../configuration.md); the options of each check
have [pages of their own](checks/index.md), and so have [recoveries](recoveries/index.md) and
[notifications](notifications/index.md). The JSON Schema for editors is
[schemas/fleet.schema.json](../../schemas/fleet.schema.json).

A document is a mapping of the keys below, all of them optional. Unknown keys and keys that stand twice are refused.
A \`.ndjson\` file has no such mapping: each line is one entry of \`monitors\`.

A **duration** is a whole number with its unit: \`250ms\`, \`30s\`, \`5m\`, \`1h\`. A **credential** is a reference to an
entry of \`credentials\`: \`{ credential: NAME }\`.

${Object.entries(properties)
  .map(([key, shape]) => section(key, shape))
  .join('\n\n')}

## Rules over several keys

- An \`interval\` is at least \`1s\`. A \`timeout\` is more than nothing and at most the interval; one that comes from the
  defaults is cut to the interval.
- An explicit \`id\` does not begin with \`name:\`. Identities are unique over all files.
- A maintenance window has either \`cron\` and \`duration\`, or \`start\` and \`end\`. A cron expression has five fields.
- Everything that is named exists: credentials, endpoints, groups, and the monitors in \`depends_on\`. Dependencies form
  no circle.
- A credential has \`env\` or \`file\`, not both, and its value is not empty.
- A route names at least one group or endpoint.
- \`credentials\`, \`endpoints\` and \`groups\` of several documents add up, and a name may stand once; \`defaults\` stand in
  one document.
- A monitor has at most 1 MiB.
`
}

function section(key: string, shape: Shape): string {
  const intro = `## ${key}\n\n${shape.description ?? ''} Type: ${typeInWords(shape)}.`
  const rows = keyRows(shape, key)
  return rows.length === 0 ? intro : `${intro}\n\n${table(keyColumns, rows.map(cellsOf))}${extras(key)}`
}

function extras(key: string): string {
  if (key !== 'monitors') return ''
  const names = Object.keys(driverShapes.checks)
  const pages = names.map((name) => `[${code(name)}](checks/${name}.md)`).join(', ')
  return `\n\nOptions of each check, under \`check.config\`: ${pages}.`
}
