// components/monitor-link.tsx: links a monitor by its name, or by its stable identity if the page does not
// know the name. A name of any length takes at most two lines.
import { Link } from 'wouter'
import styles from './monitor-link.module.css'

export interface MonitorLinkProps {
  readonly id: number | undefined
  readonly name: string
}

export function MonitorLink({ id, name }: MonitorLinkProps) {
  if (id === undefined)
    return (
      <code className={styles.identity} title={name}>
        {name}
      </code>
    )
  return (
    <Link href={`/monitors/${id}`} className={styles.link} title={name}>
      {name}
    </Link>
  )
}
