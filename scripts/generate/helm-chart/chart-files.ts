// scripts/generate/helm-chart/chart-files.ts: the generated files of the Helm chart: values.yaml, its schema, the table
// of values in its README, and copies of the rules and the dashboard, since a chart contains everything that it needs.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { code, table } from '../markdown.ts'
import { asWritten, type Shape, typeInWords } from '../schema-reference.ts'
import { chartValues } from './chart-values.ts'
import type { ValueShape } from './value-shapes.ts'

const root = join(import.meta.dirname, '../../..')
const chart = 'deploy/helm/pulseward'
const source = 'scripts/generate/helm-chart/chart-values.ts'

type Values = Readonly<Record<string, ValueShape>>

export async function chartFiles(): Promise<Map<string, string>> {
  const values = chartValues()
  return new Map([
    [`${chart}/values.yaml`, valuesFile(values)],
    [`${chart}/values.schema.json`, `${JSON.stringify(schemaOf(values), null, 2)}\n`],
    [`${chart}/README.md`, withTable(read(`${chart}/README.md`), values)],
    [`${chart}/generated/rules.yaml`, read('deploy/prometheus/rules.yaml')],
    [`${chart}/generated/dashboard.json`, read('deploy/grafana/pulseward.json')],
  ])
}

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

function schemaOf(values: Values): object {
  return {
    // Helm 3 before 3.18 understands this version too.
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Values of the Pulseward chart',
    type: 'object',
    // A null in the user's values removes a whole group, and templates would then fail without a clear message.
    required: Object.keys(values).filter((key) => isGroup(values[key]!)),
    additionalProperties: false,
    properties: {
      ...values,
      global: { description: 'Helm passes it to every chart; this one does not use it.', type: 'object' },
    },
  }
}

function valuesFile(values: Values): string {
  const lines = Object.entries(values).flatMap(([key, shape]) => ['', ...linesOf(key, shape, '')])
  return `# Made by \`npm run generate\` from ${source}. Do not edit.\n${lines.join('\n')}\n`
}

function linesOf(key: string, shape: ValueShape, indent: string): string[] {
  const comment = `${indent}# ${shape.description}`
  if (!isGroup(shape)) return [comment, `${indent}${key}: ${JSON.stringify(shape.default)}`]
  const inner = Object.entries(shape.properties).flatMap(([name, value]) =>
    linesOf(name, value, `${indent}  `),
  )
  return [comment, `${indent}${key}:`, ...inner]
}

/** A group with a default is written as a whole. */
function isGroup(shape: ValueShape): shape is ValueShape & { readonly properties: Values } {
  return shape.properties !== undefined && shape.default === undefined
}

function withTable(readme: string, values: Values): string {
  const [begin, end] = ['<!-- values: made by `npm run generate` -->', '<!-- end of values -->']
  const [before, rest = ''] = readme.split(begin)
  const [, after] = rest.split(end)
  if (after === undefined) throw new Error(`${chart}/README.md needs the lines ${begin} and ${end}`)
  const rows = rowsOf(values, '').map(([path, shape]) => [
    code(path),
    shape.properties === undefined ? typeInWords(shape as Shape) : 'mapping',
    isNothing(shape.default) ? '' : code(asWritten(shape.default)),
    shape.description,
  ])
  return `${before}${begin}\n${table(['Value', 'Type', 'Default', 'What it does'], rows)}\n${end}${after}`
}

function rowsOf(values: Values, prefix: string): [path: string, shape: ValueShape][] {
  return Object.entries(values).flatMap(([key, shape]) =>
    isGroup(shape) ? rowsOf(shape.properties, `${prefix}${key}.`) : [[`${prefix}${key}`, shape]],
  )
}

function isNothing(value: unknown): boolean {
  return value === '' || (typeof value === 'object' && JSON.stringify(value).length === 2)
}
