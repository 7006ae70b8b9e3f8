// explaining/explanation.tsx: the answer in one sentence, the rules in their order, and what comes next. What decided stands
// out by its word and its edge; rules that do not apply are collapsed.
import type { v2 } from '@pulseward/contract'
import { ruleWords } from '@pulseward/contract/v2/explanation-words'
import { Until } from '../components/time.tsx'
import { plural } from '../format/count.ts'
import { withLocalTimes } from '../format/time.ts'
import styles from './explaining.module.css'

export function Explanation({ explanation }: { readonly explanation: v2.DecisionExplanation }) {
  const { summary, rules, next } = explanation
  const applied = rules.filter(({ verdict }) => verdict !== 'not_applicable')
  const others = rules.filter(({ verdict }) => verdict === 'not_applicable')
  return (
    <>
      <p className={styles.summary}>{withLocalTimes(summary)}</p>
      <Rules rules={applied} />
      {others.length > 0 && (
        <details>
          <summary>{plural(others.length, 'rule does not apply', 'rules do not apply')}</summary>
          <Rules rules={others} />
        </details>
      )}
      {next.length > 0 && (
        <section>
          <h3 className={styles.heading}>Unless something else happens before</h3>
          <ul className={styles.next}>
            {next.map(({ at, text }) => (
              <li key={`${at} ${text}`}>
                {at !== undefined && (
                  <>
                    <Until at={at} />:{' '}
                  </>
                )}
                {withLocalTimes(text)}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

function Rules({ rules }: { readonly rules: readonly v2.ExplainedRule[] }) {
  return (
    <ol className={styles.rules}>
      {rules.map((one) => {
        const { rule, verdict } = ruleWords(one)
        return (
          <li
            key={`${one.rule} ${one.text}`}
            className={one.verdict === 'decided' ? styles.decided : undefined}
          >
            <b>{rule}</b> <span className={styles.verdict}>{verdict}</span>
            <p>{withLocalTimes(one.text)}</p>
          </li>
        )
      })}
    </ol>
  )
}
