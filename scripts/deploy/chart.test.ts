// What can be known of the Helm chart without Helm: its values, its schema, and that its templates use them.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { settingKeys } from '@pulseward/server'
import { Ajv } from 'ajv'
import { load } from 'js-yaml'
import { describe, expect, it } from 'vitest'
import { ownSettings } from '../generate/helm-chart/chart-values.ts'
import { everythingOn, refusals, twoReplicas } from './chart-values.fixture.ts'
import { readText } from './deployed-files.ts'

const folder = join(import.meta.dirname, '../../deploy/helm/pulseward')
const templates = globSync('templates/*', { cwd: folder }).map((path) => ({
  path,
  text: readFileSync(join(folder, path), 'utf8'),
}))
const text = templates.map((template) => template.text).join('\n')
const values = load(readText('deploy/helm/pulseward/values.yaml')) as Record<string, unknown>
const schema = JSON.parse(readText('deploy/helm/pulseward/values.schema.json')) as object
const isValid = new Ajv({ strict: false }).compile(schema)

/** Dotted paths of all values; one whose default is empty, or goes to Kubernetes as it is, is not looked into. */
function pathsOf(value: unknown, prefix: string): string[] {
  const isGroup = typeof value === 'object' && value !== null && !Array.isArray(value)
  const isWhole = !isGroup || Object.keys(value).length === 0 || /^resources$|\.labels$/.test(prefix)
  if (isWhole) return [prefix]
  return Object.entries(value).flatMap(([key, inner]) =>
    pathsOf(inner, prefix === '' ? key : `${prefix}.${key}`),
  )
}

describe('the values of the chart', () => {
  it('are accepted by their schema, alone, with everything on and with two replicas', () => {
    expect([isValid(values), isValid.errors]).toEqual([true, null])
    for (const { values: given } of [everythingOn, twoReplicas])
      expect([isValid({ ...values, ...given }), isValid.errors]).toEqual([true, null])
  })

  it.each(['an unknown key', 'an unknown setting', 'a setting that the chart owns', 'a bad duration'])(
    'are refused by their schema: %s',
    (name) => {
      expect(isValid({ ...values, ...refusals[name]!.values })).toBe(false)
    },
  )

  it('are all used by the templates, which use no others', () => {
    const paths = pathsOf(values, '')
    const isUsed = (path: string) =>
      new RegExp(`\\.Values\\.${path.replaceAll('.', '\\.')}(?![\\w.])`).test(text)
    expect(paths.filter((path) => !isUsed(path))).toEqual([])
    const named = [...text.matchAll(/\.Values\.([A-Za-z.]+)/g)].map(([, path]) => path!.replace(/\.$/, ''))
    expect(named.length).toBeGreaterThan(40)
    const isKnown = (name: string) => paths.some((path) => path === name || path.startsWith(`${name}.`))
    expect(named.filter((name) => !isKnown(name))).toEqual([])
  })

  it('leave out settings that there are', () => {
    const known = new Set(settingKeys.map((key) => key.split('.')[0]))
    expect(ownSettings.filter((key) => !known.has(key))).toEqual([])
  })
})

describe('the chart', () => {
  it('has the version of the repository', () => {
    const { version, appVersion } = load(readText('deploy/helm/pulseward/Chart.yaml')) as Record<
      string,
      string
    >
    const repository = JSON.parse(readText('package.json')) as { version: string }
    expect([version, appVersion]).toEqual([repository.version, repository.version])
  })

  it('has a vendored schema for every kind that it makes', () => {
    const kinds = [...text.matchAll(/^apiVersion: (\S+)\nkind: (\S+)$/gm)].map(([, api, kind]) => {
      const [version, group = ''] = api!.split('/').reverse()
      const words = [kind, group.split('.')[0], version].filter((word) => word !== '')
      return `${words.join('-').toLowerCase()}.json`
    })
    expect(new Set(kinds).size).toBe(12)
    expect(
      kinds.filter((file) => !existsSync(join(import.meta.dirname, 'kubernetes-schemas', file))),
    ).toEqual([])
  })

  it('says in each template what it is for', () => {
    const silent = templates.filter(
      ({ path, text }) => !path.endsWith('NOTES.txt') && !text.includes(`/* ${path}: `),
    )
    expect(silent.map(({ path }) => path)).toEqual([])
  })
})
