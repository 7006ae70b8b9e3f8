// views/monitor/manage-link.tsx: a link to edit a monitor, for users who may.
import { Link } from 'wouter'
import { useMay } from '../../data/may.ts'
import styles from './monitor.module.css'

export function ManageLink({ monitorId }: { readonly monitorId: string }) {
  if (!useMay('ReplaceMonitor')) return null
  return (
    <p className={styles.note}>
      <Link className={styles.link} href={`/manage/monitors/${encodeURIComponent(monitorId)}`}>
        Change or delete this monitor
      </Link>
    </p>
  )
}
