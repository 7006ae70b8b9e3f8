// v2/wire/decision-explanation.ts: why a monitor is as it is or an incident opened, and who heard of it; why an action was
// taken, and what became of it: one sentence, the rules in their order, and what comes next.
import { type Static, Type } from 'typebox'
import { Because } from './because.ts'
import { listing, oneOf, text, timestamp, wireType } from './wire-type.ts'

export const explainedKinds = ['Monitor', 'Incident', 'Action'] as const

export const explainedRules = [
  'enabled',
  'snooze',
  'maintenance',
  'dependency',
  'own_fault',
  'locations',
  'threshold',
  'recovery',
  'acknowledgement',
  'policy',
  'routes',
  'cooldown',
  'quiet_hours',
  'pacing',
  'destination',
  'delivery',
] as const

export const ruleVerdicts = ['decided', 'passed', 'not_applicable'] as const

export const ExplainedRule = wireType('ExplainedRule', 'A rule, and what it came to.', {
  rule: oneOf(explainedRules, 'Which rule, in the order in which they are applied.'),
  verdict: oneOf(
    ruleVerdicts,
    'decided: things are as they are because of it. passed: it stood in the way of nothing. not_applicable: it was not asked.',
  ),
  text: text('What was compared, as one sentence.'),
  because: Type.Optional(Because),
})

export const ComingChange = wireType(
  'ComingChange',
  'What comes next, unless something else happens before.',
  {
    at: Type.Optional(timestamp('When; absent if no time is set.')),
    text: text('What, as one sentence.'),
  },
)

export const DecisionExplanation = wireType(
  'DecisionExplanation',
  'Why it is so: from what is recorded and what is in force, never from a guess.',
  {
    kind: oneOf(explainedKinds, 'What is explained.'),
    id: text('Its id.'),
    at: timestamp('The moment that it is explained for.'),
    summary: text('The answer, as one sentence.'),
    monitorID: Type.Optional(text('The monitor; absent for a message that is not about a single one.')),
    incidentID: Type.Optional(text('The incident: the one explained, the open one, or that of the action.')),
    rules: listing(ExplainedRule, 'The rules in their order.'),
    next: listing(ComingChange, 'What comes next, the soonest first.'),
  },
)

export type ExplainedRule = Static<typeof ExplainedRule>
export type ComingChange = Static<typeof ComingChange>
export type DecisionExplanation = Static<typeof DecisionExplanation>
