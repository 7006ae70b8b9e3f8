// views/monitor/write-about.tsx: links to write about a monitor on the status pages that show it, for users who may. An incident
// of a monitor is never published by itself.
import { v2 } from '@pulseward/contract'
import { Link } from 'wouter'
import { useMay } from '../../data/may.ts'
import { bodyOf } from '../../data/reading.ts'
import { useStatusPages } from '../../data/status-pages.ts'
import { useV2Monitor } from '../../data/v2-reading.ts'
import styles from './monitor.module.css'

export function WriteAbout({ monitorId }: { readonly monitorId: string }) {
  const mayWrite = useMay('CreateStatusIncident')
  const pages = bodyOf(useStatusPages(mayWrite))?.items ?? []
  const monitor = bodyOf(useV2Monitor(mayWrite && pages.length > 0 ? monitorId : null))
  if (monitor === null) return null
  const shown = pages.filter(({ spec }) => v2.componentsWith(spec, monitor).length > 0)
  if (shown.length === 0) return null
  return (
    <p className={styles.note}>
      {shown.map(({ metadata: { id }, spec: { title } }) => (
        <Link
          key={id}
          className={styles.link}
          href={`/status-pages?${new URLSearchParams({ page: id, about: monitorId })}`}
        >
          Write about this on <bdi>{title}</bdi>
        </Link>
      ))}
    </p>
  )
}
