// views/overview/tells-nobody.tsx: how many monitors tell nobody when they fail, as a sentence that leads to them.
import { Link } from 'wouter'
import { plural } from '../../format/count.ts'
import { noFilter, searchOf } from '../monitors/filter-state.ts'
import styles from './overview.module.css'

export function TellsNobody({ count }: { readonly count: number }) {
  if (count === 0) return null
  return (
    <Link className={styles.link} href={`/monitors${searchOf({ ...noFilter, tells_nobody: true })}`}>
      {plural(count, 'monitor')} {count === 1 ? 'tells' : 'tell'} nobody when{' '}
      {count === 1 ? 'it fails' : 'they fail'}.
    </Link>
  )
}
