// scripts/generate/checks-doc.ts: a page for each check, from its schema and its example, and an index of all
// drivers. Each example is a whole fleet file in check-examples/ and is run through the validator by its test.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { driverShapes } from '@pulseward/server'
import { code, codes, madeFrom, table } from './markdown.ts'
import { cellsOf, type KeyRow, keyColumns, keyRows, type Shape } from './schema-reference.ts'

type Driver = (typeof driverShapes.checks)[string]

export async function checksDoc(): Promise<Map<string, string>> {
  const pages = new Map([['docs/generated/checks/index.md', index()]])
  for (const [name, driver] of Object.entries(driverShapes.checks)) {
    pages.set(`docs/generated/checks/${name}.md`, page(name, driver))
  }
  return pages
}

export function exampleFile(name: string): string {
  return join(import.meta.dirname, 'check-examples', `${name}.yaml`)
}

function index(): string {
  const rows = Object.entries(driverShapes.checks).map(([name, { summary }]) => [
    `[${code(name)}](${name}.md)`,
    summary,
  ])
  return `${madeFrom('packages/server/src/checks/registry.ts')}
# Checks

What a monitor's \`check.type\` may name.

${table(['Check', 'What it does'], rows)}

## Recoveries and notifications

Fleet files may name these drivers already, and their options are validated. Nothing carries them out in this version.

${table(
  ['Driver', 'Named in', 'What it will do'],
  [
    ...laterRows(driverShapes.recoveries, 'recovery.type'),
    ...laterRows(driverShapes.notifiers, 'endpoints.NAME.type'),
  ],
)}
`
}

function laterRows(drivers: Readonly<Record<string, Driver>>, place: string): string[][] {
  return Object.entries(drivers).map(([name, { summary }]) => [code(name), code(place), summary])
}

function page(name: string, { summary, config }: Driver): string {
  const rows = keyRows(config as Shape)
  return `${madeFrom(`the schema of packages/server/src/checks/${name}.ts`)}
# ${name}

${summary} Its options stand under \`check.config\`.

${table(keyColumns, rows.map(cellsOf))}

${secretsInWords(rows)}

## Example

\`\`\`yaml
${readFileSync(exampleFile(name), 'utf8').trimEnd()}
\`\`\`

[All checks](index.md) · [Fleet file](../fleet-file.md)
`
}

function secretsInWords(rows: readonly KeyRow[]): string {
  const only = rows.filter(({ secret }) => secret === 'only').map(({ path }) => path)
  const may = rows.filter(({ secret }) => secret === 'may').map(({ path }) => path)
  const sentences = [
    only.length > 0 ? `Secret, and refused as open text: ${codes(only)}.` : '',
    may.length > 0 ? `May be secret, as an open text or a credential: ${codes(may)}.` : '',
  ].filter((sentence) => sentence !== '')
  if (sentences.length === 0) return 'No option takes a secret.'
  return `${sentences.join(' ')} A credential is written \`{ credential: NAME }\`.`
}
