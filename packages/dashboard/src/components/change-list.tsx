// components/change-list.tsx: what changed, field by field: before and after. Values are untrusted text of
// any length and direction.
import styles from './change-list.module.css'
import type { ShownChange } from './shown-change.ts'

const mostCharacters = 400

export function ChangeList({ changes }: { readonly changes: readonly ShownChange[] }) {
  return (
    <dl className={styles.changes}>
      {changes.map(({ field, before, after }) => (
        <div key={field}>
          <dt title={field}>{fieldWords(field)}</dt>
          <dd>
            {before !== undefined && (
              <del>
                <span className="visually-hidden">was </span>
                <bdi>{shortened(before)}</bdi>
              </del>
            )}
            {after !== undefined && (
              <ins>
                <span className="visually-hidden">is now </span>
                <bdi>{shortened(after)}</bdi>
              </ins>
            )}
            {after === undefined && <span className={styles.gone}>removed</span>}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** `/spec/check/driver/config/url` is the check's url to people. */
function fieldWords(field: string): string {
  const names = field
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
  const told = names.filter((name) => !['spec', 'metadata', 'driver', 'config'].includes(name))
  return (told.length === 0 ? names : told).join(' › ') || 'everything'
}

function shortened(text: string): string {
  return text.length > mostCharacters ? `${text.slice(0, mostCharacters)}…` : text
}
