// v2/examples/explanations.ts: why the example monitor has an open incident, and who heard of it.
import type { DecisionExplanation } from '../wire/decision-explanation.ts'

const explanation: DecisionExplanation = {
  kind: 'Monitor',
  id: 'checkout-api',
  at: '2026-03-29T01:00:05.000Z',
  summary:
    'The incident of Checkout API is open since 2026-03-29T00:58:30.000Z: 3 checks in a row failed; the threshold is 3.',
  monitorID: 'checkout-api',
  incidentID: 'inc-01JQ8X4A',
  rules: [
    { rule: 'enabled', verdict: 'passed', text: 'The monitor is enabled.' },
    { rule: 'dependency', verdict: 'passed', text: 'Nothing that it depends on is in trouble.' },
    {
      rule: 'threshold',
      verdict: 'decided',
      text: '3 checks in a row failed; the threshold is 3.',
      because: { kind: 'threshold', failures: 3, threshold: 3 },
    },
  ],
  next: [{ at: '2026-03-29T01:58:30.000Z', text: 'Red is repeated if the incident is still open.' }],
}

export const explanationExamples = { DecisionExplanation: explanation }
