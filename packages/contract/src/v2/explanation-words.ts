// v2/explanation-words.ts: the rules of an explanation and what they came to, for people: the page and the command say the
// same. The terms of the wire stay what programs read.
import type { ExplainedRule } from './wire/decision-explanation.ts'

const rules: Readonly<Record<ExplainedRule['rule'], string>> = {
  enabled: 'enabled',
  snooze: 'snooze',
  maintenance: 'maintenance',
  dependency: 'dependency',
  own_fault: 'own fault',
  locations: 'locations',
  threshold: 'threshold',
  recovery: 'recovery',
  acknowledgement: 'acknowledgement',
  policy: 'severity and policy',
  routes: 'routes',
  cooldown: 'cooldown',
  quiet_hours: 'quiet hours',
  pacing: 'pacing',
  destination: 'destination',
  delivery: 'delivery',
}

const verdicts: Readonly<Record<ExplainedRule['verdict'], string>> = {
  decided: 'decided',
  passed: 'passed',
  not_applicable: 'does not apply',
}

/** A rule of a newer service keeps its name on the wire. */
export function ruleWords({ rule, verdict }: Pick<ExplainedRule, 'rule' | 'verdict'>): {
  readonly rule: string
  readonly verdict: string
} {
  return { rule: rules[rule] ?? rule, verdict: verdicts[verdict] ?? verdict }
}
