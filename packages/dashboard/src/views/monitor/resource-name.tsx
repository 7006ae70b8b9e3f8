// views/monitor/resource-name.tsx: the id of an endpoint, a group, a route or a policy: a link to its page for users who may open it.
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useMay } from '../../data/may.ts'
import styles from './monitor.module.css'

export interface ResourceNameProps {
  readonly segment: 'endpoints' | 'groups' | 'routes' | 'policies'
  readonly id: string
  /** What it is called; its id unless given. */
  readonly children?: ReactNode
}

export function ResourceName({ segment, id, children = id }: ResourceNameProps) {
  if (!useMay('ReplaceMonitor')) return <b>{children}</b>
  return (
    <Link className={styles.link} href={`/manage/${segment}/${encodeURIComponent(id)}`}>
      {children}
    </Link>
  )
}
