// simulation/defects/explanation-defects.ts: explanations that leave a reason out, or name another.
import type { v2 } from '@pulseward/contract'
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

const shifted =
  (ms: number) =>
  (explanation: v2.DecisionExplanation): v2.DecisionExplanation => ({
    ...explanation,
    next: explanation.next.map(({ at, text }) =>
      at === undefined ? { text } : { at: new Date(Date.parse(at) + ms).toISOString(), text },
    ),
  })

/** What comes next is told wrongly. */
export const nextDefects: Defects = {
  'next-too-early': { summary: 'What comes next is promised for too early.', explained: shifted(-60_000) },
  'next-too-late': { summary: 'What comes next is promised for too late.', explained: shifted(60_000) },
  'next-always-opens': {
    summary: 'Every failed check is said to open the incident.',
    explained: (explanation) => ({
      ...explanation,
      next: explanation.next.map(({ at, text }) => ({
        ...(at === undefined ? {} : { at }),
        text: text.replace(
          /^It is checked again.*$/,
          'It is checked again; if that fails, the incident opens.',
        ),
      })),
    }),
  },
}
