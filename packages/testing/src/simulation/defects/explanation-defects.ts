// simulation/defects/explanation-defects.ts: explanations that leave a reason out, or name another.
import type { Defects } from './defect.ts'

export const explanationDefects: Defects = {
  'reason-unexplained': {
    summary: 'An explanation tells rules without their reasons.',
    explained: (explanation) => ({
      ...explanation,
      rules: explanation.rules.map(({ because: _, ...rule }) => rule),
    }),
  },
  'reason-explained-as-passed': {
    summary: 'The rule that decided is told as one that stood in the way of nothing.',
    explained: (explanation) => ({
      ...explanation,
      rules: explanation.rules.map((rule) => ({ ...rule, verdict: 'passed' })),
    }),
  },
  'untold-unexplained': {
    summary: 'The explanation of an incident does not say why a destination was not told.',
    explained: (explanation) =>
      explanation.kind === 'Incident'
        ? { ...explanation, rules: explanation.rules.filter(({ rule }) => rule !== 'delivery') }
        : explanation,
  },
}
