// scripts/generate/driver-doc.ts: the pages of one kind of driver: an index, and a page for each from its
// schema and its example. What only one kind has (limits, what it sends) comes as additional sections. Each
// example is a whole fleet file; its test validates it.
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { driverShapes } from '@pulseward/server'
import { code, codes, madeFrom, table } from './markdown.ts'
import { cellsOf, type KeyRow, keyColumns, keyRows, type Shape } from './schema-reference.ts'

type Driver = (typeof driverShapes.checks)[string]

export interface DriverKind {
  /** The folder of the pages under docs/generated. */
  readonly folder: string
  readonly title: string
  /** The text above the table of the index. */
  readonly introduction: string
  /** The heading of the first column of that table. */
  readonly noun: string
  /** The folder of the drivers under packages/server/src. */
  readonly room: string
  /** Where a fleet file contains the options. */
  readonly place: string
  /** The folder of the examples, in this one; by default they are in the folders of the drivers. */
  readonly examples?: string
  /** The files of drivers that have no code in their folder. */
  readonly elsewhere?: Readonly<Record<string, string>>
}

export interface Section {
  readonly title: string
  readonly text: string
}

/** Additional sections of a driver's page, between its options and its example. */
type SectionsOf = (name: string) => Promise<readonly Section[]>

export async function driverPages(
  kind: DriverKind,
  drivers: Readonly<Record<string, Driver>>,
  sectionsOf: SectionsOf = async () => [],
): Promise<Map<string, string>> {
  const folder = `docs/generated/${kind.folder}`
  const pages = new Map([[`${folder}/index.md`, index(kind, drivers)]])
  for (const [name, driver] of Object.entries(drivers)) {
    pages.set(`${folder}/${name}.md`, page(kind, name, driver, await sectionsOf(name)))
  }
  return pages
}

export function exampleFile({ room, examples }: DriverKind, name: string): string {
  if (examples !== undefined) return join(import.meta.dirname, examples, `${name}.yaml`)
  return join(import.meta.dirname, '../..', driverFolder(room, name), 'example.yaml')
}

function driverFolder(room: string, name: string): string {
  return `packages/server/src/${room}/${name.replaceAll('_', '-')}`
}

export function readExample(kind: DriverKind, name: string): string {
  return readFileSync(exampleFile(kind, name), 'utf8').trimEnd()
}

function index(kind: DriverKind, drivers: Readonly<Record<string, Driver>>): string {
  const rows = Object.entries(drivers).map(([name, { summary }]) => [`[${code(name)}](${name}.md)`, summary])
  return `${madeFrom(`packages/server/src/${kind.room}/registry.ts`)}
# ${kind.title}

${kind.introduction}

${table([kind.noun, 'What it does'], rows)}
`
}

function page(kind: DriverKind, name: string, driver: Driver, sections: readonly Section[]): string {
  const { summary, config } = driver
  const rows = keyRows(config as Shape)
  return `${madeFrom(`the schema of ${driverFile(kind, name)}`)}
# ${name}

${summary} ${optionsInWords(kind, rows)}

${sections.map(({ title, text }) => `## ${title}\n\n${text}\n\n`).join('')}## Example

${fenced('yaml', readExample(kind, name))}

[All ${kind.title.toLowerCase()}](index.md) · [Fleet file](../fleet-file.md)
`
}

function driverFile({ room, examples, elsewhere = {} }: DriverKind, name: string): string {
  const file = elsewhere[name]
  if (file !== undefined) return file
  const folder = driverFolder(room, name)
  return examples === undefined ? join(folder, `${basename(folder)}.ts`) : `${folder}.ts`
}

function optionsInWords({ place }: DriverKind, rows: readonly KeyRow[]): string {
  if (rows.length === 0) return 'It has no options.'
  return `Its options stand under ${code(place)}.

${table(keyColumns, rows.map(cellsOf))}

${secretsInWords(rows)}`
}

export function fenced(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``
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
