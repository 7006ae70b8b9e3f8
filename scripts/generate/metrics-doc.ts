// scripts/generate/metrics-doc.ts: every family of metrics as a page, from the registry of the service.
import { metricPresence, metricRegistry, metricUnits } from '@pulseward/server'
import { code, codes, madeFrom, table } from './markdown.ts'

export async function metricsDoc(): Promise<Map<string, string>> {
  return new Map([['docs/metrics.md', page()]])
}

function page(): string {
  return `${madeFrom('packages/server/src/projection/metric-registry.ts')}
# Metrics

\`/metrics\` answers in the Prometheus text format 0.0.4, or in OpenMetrics when asked for. With a token it needs that token,
like every other path. What is not known is absent, never 0; counters of every driver that the fleet uses begin with 0.

Ready to use, and tested against a real Prometheus:

- \`deploy/prometheus/prometheus.yaml\`: scrapes a service, with a token from a file.
- \`deploy/prometheus/rules.yaml\`: recording rules, and alerts whose runbooks are in [operating](operating.md#alerts).
- \`deploy/grafana/pulseward.json\`: a dashboard to import.

## Families

Jobs that wait while \`pulseward_external_workers\` is 0 have no worker who could do them; offers that are not started come
from workers that ask for work and do not begin it.

${table(
  ['Metric', 'Meaning', 'Type', 'Labels', 'Unit', 'Editions'],
  Object.entries(metricRegistry).map(([name, { type, labels, unit, presence, help }]) => [
    code(name),
    help,
    type,
    codes(labels),
    metricUnits[unit],
    metricPresence[presence],
  ]),
)}

## Series of single monitors

By default there are about a hundred series, however large the fleet. The setting \`metrics.per_monitor\`
(\`PULSEWARD_METRICS_PER_MONITOR\`) adds two for every monitor that it selects, for those who know \`probe_success\` and
\`probe_duration_seconds\` of the blackbox exporter:

\`\`\`text
pulseward_probe_success{monitor_id="checkout-api",name="Checkout API"} 1
pulseward_probe_duration_seconds{monitor_id="checkout-api",name="Checkout API"} 0.042
\`\`\`

- The setting is a selector over labels, as in lists of v2: clauses with commas between them, each \`key=value\`,
  \`key!=value\`, \`key\`, \`!key\`, \`key in (a,b)\` or \`key notin (a,b)\`. \`!internal\` selects all monitors without that label.
- A monitor has no sample before its first check, while it is disabled or snoozed, and after a check that says nothing about
  its target. A query for failures is \`pulseward_probe_success == 0\`, not \`!= 1\`.
- At most 10,000 monitors have series. Where more are selected, those with the lowest ids have them, the log warns, and \`pulseward_per_monitor_left_out\` says how many have none.
`
}
