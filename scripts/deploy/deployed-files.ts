// scripts/deploy/deployed-files.ts: reads the files in deploy for tests: rules, their test cases, and the dashboard.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from 'js-yaml'

const root = join(import.meta.dirname, '../..')

export const rulesPath = join(root, 'deploy/prometheus/rules.yaml')
export const casesPath = join(root, 'deploy/prometheus/rules.test.yaml')
export const examplePath = join(root, 'deploy/prometheus/prometheus.yaml')

export interface Rule {
  readonly record?: string
  readonly alert?: string
  readonly expr: string
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
}

export interface Panel {
  readonly id: number
  readonly type: string
  readonly title: string
  readonly description?: string
  readonly targets?: readonly { readonly refId: string; readonly expr: string }[]
}

export interface DashboardVariable {
  readonly name: string
  readonly type: string
  readonly definition?: string
}

export interface Dashboard {
  readonly panels: readonly Panel[]
  readonly templating: { readonly list: readonly DashboardVariable[] }
}

export function readText(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

export function readRules(): Rule[] {
  const { groups } = load(readFileSync(rulesPath, 'utf8')) as { groups: { rules: Rule[] }[] }
  return groups.flatMap(({ rules }) => rules)
}

export function readDashboard(): Dashboard {
  return JSON.parse(readText('deploy/grafana/pulseward.json')) as Dashboard
}

/** Every query of a panel, with the panel's title. */
export function panelQueries({ panels }: Dashboard): { readonly title: string; readonly expr: string }[] {
  return panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr })))
}
