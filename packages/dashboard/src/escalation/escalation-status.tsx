// escalation/escalation-status.tsx: where a page of a policy stands: which step comes next and when, who was told, who is told
// later, and whether a person takes care of it.
import type { v2 } from '@pulseward/contract'
import { Time, Until } from '../components/time.tsx'
import { useNameOfPerson } from '../data/on-call.ts'
import { plural } from '../format/count.ts'
import styles from './escalation.module.css'
import { stepInWords, stepsBehind, toldInWords } from './escalation-words.ts'

export function EscalationStatus({ page }: { readonly page: v2.EscalationPage }) {
  const nameOf = useNameOfPerson()
  const told = toldInWords(page, nameOf)
  return (
    <div className={styles.status}>
      <Steps page={page} />
      <p title={page.state}>
        <Next page={page} />
      </p>
      <p className={styles.quiet}>
        {told === null ? (
          'No recipient was told yet.'
        ) : (
          <>
            Told: <bdi>{told}</bdi>.
          </>
        )}
        {page.held.map(({ personRef, until }) => (
          <span key={`${personRef} ${until}`}>
            {' '}
            <bdi>{nameOf(personRef)}</bdi> is told when their quiet hours end, at <Time at={until} />.
          </span>
        ))}
        {page.incidents > 1 && ` It is one page for ${plural(page.incidents, 'incident')}.`}
      </p>
    </div>
  )
}

/** Decoration: the sentence beside it says the same. */
function Steps({ page }: { readonly page: v2.EscalationPage }) {
  const behind = stepsBehind(page)
  return (
    <span className={styles.steps} aria-hidden="true">
      {Array.from({ length: page.steps }, (_, index) => {
        const isNext = index === behind && page.state === 'running'
        const look = index < behind ? styles.behind : isNext ? styles.next : ''
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a step is its number.
          <i key={index} className={look}>
            {index + 1}
          </i>
        )
      })}
    </span>
  )
}

function Next({ page }: { readonly page: v2.EscalationPage }) {
  const { state, policyRef, nextStepAt, waitsForCheck, acknowledgedBy, restartsAt } = page
  const policy = (
    <>
      of the policy{' '}
      <b>
        <bdi>{policyRef}</bdi>
      </b>
    </>
  )
  if (state === 'paused')
    return <>The escalation {policy} waits while it is snoozed, in maintenance or suppressed.</>
  if (state === 'spent')
    return <>The last step {policy} was told, and no person has acknowledged it. No further step fires.</>
  if (state === 'acknowledged')
    return (
      <>
        <bdi>{acknowledgedBy ?? 'A person'}</bdi> takes care of it, so no step {policy} fires.
        {restartsAt !== undefined && (
          <>
            {' '}
            It starts again at <Time at={restartsAt} /> if it is still open.
          </>
        )}
      </>
    )
  if (waitsForCheck || nextStepAt === undefined)
    return (
      <>
        {stepInWords(page)} {policy} fires when a check has failed again.
      </>
    )
  return (
    <>
      {stepInWords(page)} {policy} fires <Until at={nextStepAt} /> (<Time at={nextStepAt} />
      ), unless a person acknowledges it.
    </>
  )
}
