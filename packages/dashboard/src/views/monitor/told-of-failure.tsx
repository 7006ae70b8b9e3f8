// views/monitor/told-of-failure.tsx: one sentence under the status: who is told when the monitor fails. The panel further down
// has every color, and the rules that say so.
import type { Audience } from '@pulseward/contract'
import { StatusGlyph } from '../../components/status.tsx'
import styles from './monitor.module.css'
import { ResourceName } from './resource-name.tsx'

/** More are counted instead of named. */
const mostNames = 4

export function ToldOfFailure({ audience: { red, policy } }: { readonly audience: Audience }) {
  if (red.length === 0 && policy !== undefined)
    return (
      <p className={styles.told}>
        When it fails, the policy <ResourceName segment="policies" id={policy} /> pages people.
      </p>
    )
  if (red.length === 0)
    return (
      <p className={styles.told}>
        <StatusGlyph status="degraded" /> It tells nobody when it fails.
      </p>
    )
  const named = red.slice(0, red.length > mostNames ? mostNames - 1 : mostNames)
  const others = red.length - named.length
  return (
    <p className={styles.told}>
      When it fails,{' '}
      {named.map(({ destination }, index) => (
        <span key={destination}>
          {index > 0 && (index === red.length - 1 ? ' and ' : ', ')}
          <ResourceName segment="endpoints" id={destination} />
        </span>
      ))}
      {others > 0 && ` and ${others} more`} {red.length === 1 ? 'is told' : 'are told'}
      {policy === undefined ? (
        '.'
      ) : (
        <>
          , and the policy <ResourceName segment="policies" id={policy} /> pages people.
        </>
      )}
    </p>
  )
}
