// acting/subject-facts.tsx: what to know about the monitor, its incident or its action before a request.
import type { v2 } from '@pulseward/contract'
import { LookingIntoIt } from '../components/looking-into-it.tsx'
import { Reason } from '../components/reason.tsx'
import { Age, Until } from '../components/time.tsx'
import styles from './act.module.css'
import type { Subject } from './subject.ts'
import { resolutions } from './verb-words.ts'
import type { Verb } from './verbs.ts'

export function SubjectFacts({ verb, subject }: { readonly verb: Verb; readonly subject: Subject }) {
  const { incident, action, monitor } = subject
  if (incident !== null) return <IncidentFacts incident={incident} />
  if (verb === 'review' && action !== null) return <ActionFacts action={action} />
  const until = monitor.status?.snoozedUntil
  if ((verb === 'snooze' || verb === 'unsnooze') && until !== undefined)
    return (
      <p className={styles.note}>
        It is snoozed now. The snooze ends <Until at={until} />
        {verb === 'snooze' && '; a new one replaces it'}.
      </p>
    )
  return null
}

function IncidentFacts({ incident }: { readonly incident: v2.Incident }) {
  const { openedAt, acknowledgedBy, acknowledgedAt, dismissed } = incident
  return (
    <p className={styles.note}>
      {openedAt !== undefined && (
        <>
          Open for <Age since={openedAt} />.{' '}
        </>
      )}
      {acknowledgedBy !== undefined && (
        <>
          <bdi>{acknowledgedBy}</bdi> <LookingIntoIt since={acknowledgedAt} />.{' '}
        </>
      )}
      {dismissed === true && 'It is dismissed: no more notifications are sent about it.'}
    </p>
  )
}

function ActionFacts({ action }: { readonly action: v2.Action }) {
  const { kind, reason, updatedAt, review, held } = action
  return (
    <>
      <p className={styles.note}>
        {kind === 'intervention' ? 'A recovery' : 'A notification'}
        {updatedAt !== undefined && (
          <>
            , <Age since={updatedAt} /> ago
          </>
        )}
        {held === true && '; further recovery waits for this review'}.
      </p>
      {reason !== undefined && <Reason text={reason} />}
      {review !== undefined && <ReviewFacts review={review} />}
    </>
  )
}

/** The last review of an action, with its evidence. */
export function ReviewFacts({ review }: { readonly review: NonNullable<v2.Action['review']> }) {
  const { actor, resolution, reason, evidenceRefs = [], conflict } = review
  const found = resolutions.find(({ value }) => value === resolution)?.words ?? 'Reviewed'
  return (
    <div className={styles.review}>
      <p>
        {found}, says <bdi>{actor}</bdi>.
      </p>
      {reason !== undefined && <Reason text={reason} />}
      {evidenceRefs.length > 0 && <EvidenceLinks references={evidenceRefs} />}
      {conflict !== undefined && <p className={styles.refusal}>Later evidence contradicts it: {conflict}</p>}
    </div>
  )
}

/**
 * References to evidence as people wrote them. Only web addresses become links; anything else, including a
 * script in the shape of a link, stays text. Nothing is fetched.
 */
function EvidenceLinks({ references }: { readonly references: readonly string[] }) {
  return (
    <ul className={styles.evidence}>
      {references.map((reference, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same reference may stand there twice, and the order is fixed.
        <li key={index}>
          {isWebAddress(reference) ? (
            <a className={styles.link} href={reference} target="_blank" rel="noopener noreferrer">
              {reference}
            </a>
          ) : (
            <bdi>{reference}</bdi>
          )}
        </li>
      ))}
    </ul>
  )
}

function isWebAddress(text: string): boolean {
  const { protocol } = URL.parse(text) ?? {}
  return protocol === 'https:' || protocol === 'http:'
}
