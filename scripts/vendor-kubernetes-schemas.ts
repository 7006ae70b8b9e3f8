// scripts/vendor-kubernetes-schemas.ts: writes scripts/deploy/kubernetes-schemas anew: the JSON Schemas of
// the kinds that the Helm chart makes, as kubeconform reads them. They come from the OpenAPI document of
// Kubernetes and the resource definitions of the Prometheus operator, both from Go's module proxy. Strict: an
// unknown field is a mistake. Run it when the chart gets a new kind or should support a newer Kubernetes.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { load } from 'js-yaml'
import { runCommand } from './command-line/command.ts'

const kubernetes = 'k8s.io/kubernetes@v1.36.3'
const operator = 'github.com/prometheus-operator/prometheus-operator@v0.85.0'
const folder = join(import.meta.dirname, 'deploy/kubernetes-schemas')

/** File to definition. */
const kinds = {
  'configmap-v1': 'io.k8s.api.core.v1.ConfigMap',
  'secret-v1': 'io.k8s.api.core.v1.Secret',
  'service-v1': 'io.k8s.api.core.v1.Service',
  'serviceaccount-v1': 'io.k8s.api.core.v1.ServiceAccount',
  'statefulset-apps-v1': 'io.k8s.api.apps.v1.StatefulSet',
  'ingress-networking-v1': 'io.k8s.api.networking.v1.Ingress',
  'networkpolicy-networking-v1': 'io.k8s.api.networking.v1.NetworkPolicy',
  'poddisruptionbudget-policy-v1': 'io.k8s.api.policy.v1.PodDisruptionBudget',
  'role-rbac-v1': 'io.k8s.api.rbac.v1.Role',
  'rolebinding-rbac-v1': 'io.k8s.api.rbac.v1.RoleBinding',
}
const operatorKinds = {
  'servicemonitor-monitoring-v1': 'servicemonitors',
  'prometheusrule-monitoring-v1': 'prometheusrules',
}

type Schema = Readonly<Record<string, unknown>>

function downloaded(module: string): string {
  const scratch = mkdtempSync(join(tmpdir(), 'pulseward-module-'))
  try {
    const options = { cwd: scratch, encoding: 'utf8' } as const
    const { Dir } = JSON.parse(execFileSync('go', ['mod', 'download', '-json', module], options))
    return Dir as string
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** The validating part of a schema, closed where it names its fields. */
function strict(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(strict)
  if (typeof schema !== 'object' || schema === null) return schema
  const { description, default: _, format, ...rest } = schema as Schema
  const dropped = Object.entries(rest).filter(([keyword]) => !keyword.startsWith('x-kubernetes-'))
  const isEither = format === 'int-or-string' || rest['x-kubernetes-int-or-string'] === true
  if (isEither) return { anyOf: [{ type: 'integer' }, { type: 'string' }] }
  const judged = dropped.map(([keyword, value]) => [
    keyword,
    keyword === 'properties' || keyword === 'definitions'
      ? mapValues(value as Schema, strict)
      : strict(value),
  ])
  const isClosed = rest['properties'] !== undefined && rest['additionalProperties'] === undefined
  return { ...Object.fromEntries(judged), ...(isClosed ? { additionalProperties: false } : {}) }
}

function mapValues(schemas: Schema, map: (value: unknown) => unknown): Schema {
  return Object.fromEntries(Object.entries(schemas).map(([name, value]) => [name, map(value)]))
}

/** A definition with everything that it refers to. */
function standalone(definitions: Schema, name: string): Schema {
  const needed = new Set<string>()
  const collect = (from: string) => {
    if (needed.has(from)) return
    needed.add(from)
    for (const [, next] of JSON.stringify(definitions[from]).matchAll(/"#\/definitions\/([^"]+)"/g))
      collect(next!)
  }
  collect(name)
  const chosen = Object.fromEntries([...needed].sort().map((one) => [one, definitions[one]]))
  return { $ref: `#/definitions/${name}`, definitions: mapValues(chosen, strict) }
}

/** Adds the fields of every object, which a resource definition leaves open. */
function ofResource(crd: string): Schema {
  const { spec } = load(crd) as {
    spec: { versions: { name: string; schema: { openAPIV3Schema: Schema } }[] }
  }
  const { openAPIV3Schema } = spec.versions.find(({ name }) => name === 'v1')!.schema
  const closed = strict(openAPIV3Schema) as { properties: Schema }
  return { ...closed, properties: { ...closed.properties, metadata: { type: 'object' } } }
}

function vendorSchemas(): void {
  const openApi = readFileSync(join(downloaded(kubernetes), 'api/openapi-spec/swagger.json'), 'utf8')
  const { definitions } = JSON.parse(openApi) as { definitions: Schema }
  const resources = join(downloaded(operator), 'example/prometheus-operator-crd')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  const write = (name: string, content: string) => writeFileSync(join(folder, name), content)
  for (const [file, name] of Object.entries(kinds))
    write(`${file}.json`, `${JSON.stringify(standalone(definitions, name))}\n`)
  for (const [file, plural] of Object.entries(operatorKinds)) {
    const crd = readFileSync(join(resources, `monitoring.coreos.com_${plural}.yaml`), 'utf8')
    write(`${file}.json`, `${JSON.stringify(ofResource(crd))}\n`)
  }
  write('README.md', origin())
}

function origin(): string {
  return `# Schemas of Kubernetes kinds

Made by \`npm run tool -- kubernetes-schemas\` from the Go modules below, both under the Apache License 2.0.
Descriptions and defaults are left out, and objects are closed. Do not edit.

- \`${kubernetes}\`: \`swagger.json\` of its OpenAPI specification
- \`${operator}\`: its resource definitions
`
}

const about =
  'Writes the schemas anew by which the manifests of the Helm chart are validated. Needs Go and its proxy.'
await runCommand({ call: 'npm run tool -- kubernetes-schemas', about, flags: {} }, vendorSchemas)
