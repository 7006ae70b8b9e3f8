// The rules and the dashboard in deploy against what the service has: its metrics and its runbooks.
import { metricRegistry } from '@pulseward/server'
import { describe, expect, it } from 'vitest'
import { casesPath, panelQueries, readDashboard, readRules, readText } from './deployed-files.ts'

const rules = readRules()
const alerts = rules.filter(({ alert }) => alert !== undefined)
const dashboard = readDashboard()
const queries = panelQueries(dashboard)

/** As they are stored: histograms have series of three names. */
const known = new Set(
  Object.entries(metricRegistry).flatMap(([name, { type }]) =>
    type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  ),
)
const recorded = new Set(rules.flatMap(({ record }) => record ?? []))

/** Names of ours in a query, without the texts in it. */
function namesIn(expr: string): string[] {
  const names = expr.replace(/"[^"]*"/g, '').match(/[a-zA-Z_:][\w:]*/g) ?? []
  return names.filter((name) => /^(pulseward|process)_/.test(name) || name.includes(':'))
}

/** As GitHub makes them of headings. */
function anchorsOf(markdown: string): string[] {
  const headings = [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading!)
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  )
}

describe('the rules', () => {
  it.each(rules.map(({ record, alert, expr }) => [record ?? alert, expr]))(
    'use only metrics that there are: %s',
    (_, expr) => {
      const names = namesIn(expr!)
      expect(names.length + Number(/\bup\{/.test(expr!))).toBeGreaterThan(0)
      expect(names.filter((name) => !known.has(name) && !recorded.has(name))).toEqual([])
    },
  )

  it.each(alerts.map((rule) => [rule.alert, rule] as const))(
    'say what happened, what to do and where more is written: %s',
    (name, { labels, annotations }) => {
      expect(['warning', 'critical']).toContain(labels?.['severity'])
      const { summary, description, runbook = '' } = annotations!
      for (const sentence of [summary, description]) expect(sentence).toMatch(/^[A-Z{].*\.$/)
      const [path, anchor] = runbook.split('#') as [string, string]
      expect(path).toBe('docs/operating.md')
      const document = readText(path)
      expect(anchorsOf(document)).toContain(anchor)
      const section = document.split(/^(?=#)/m).find((part) => anchorsOf(part)[0] === anchor)
      expect(section).toContain(`\`${name}\``)
    },
  )

  it('have a case for every alert and every recorded name', () => {
    const cases = readText(casesPath.slice(casesPath.indexOf('deploy/')))
    const names = rules.map(({ record, alert }) => (alert === undefined ? record! : `alertname="${alert}"`))
    expect(names.filter((name) => !cases.includes(name))).toEqual([])
  })
})

describe('the dashboard', () => {
  it('uses only metrics that there are, and none that need the rules', () => {
    expect(queries.flatMap(({ expr }) => namesIn(expr)).filter((name) => !known.has(name))).toEqual([])
  })

  it('filters every query by the services that are chosen', () => {
    const unfiltered = queries.filter(({ expr }) => {
      const selectors = expr.match(/\{[^}]*\}/g) ?? []
      const isFiltered = (one: string) => one.startsWith('{job=~"$job", instance=~"$instance"')
      return selectors.length !== namesIn(expr).length || !selectors.every(isFiltered)
    })
    expect(unfiltered).toEqual([])
  })

  it('has panels with an id of their own, a title and a description', () => {
    const { panels } = dashboard
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
    for (const { type, title, description = '' } of panels.filter(({ type }) => type !== 'row'))
      expect([type, title, description]).not.toContain('')
  })
})
