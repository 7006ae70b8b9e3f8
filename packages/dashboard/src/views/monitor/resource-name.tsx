// views/monitor/resource-name.tsx: the id of an endpoint, a group, a route or a policy: a link to its page for users who may open it.
import { Link } from 'wouter'
import { useMay } from '../../data/may.ts'
import styles from './monitor.module.css'

export interface ResourceNameProps {
  readonly segment: 'endpoints' | 'groups' | 'routes' | 'policies'
  readonly id: string
}

export function ResourceName({ segment, id }: ResourceNameProps) {
  if (!useMay('ReplaceMonitor')) return <b>{id}</b>
  return (
    <Link className={styles.link} href={`/manage/${segment}/${encodeURIComponent(id)}`}>
      {id}
    </Link>
  )
}
