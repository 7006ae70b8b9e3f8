// views/monitor/manage-link.tsx: a link to edit a monitor, beside its title, for users who may.
import { Link } from 'wouter'
import { useMay } from '../../data/may.ts'
import styles from './monitor.module.css'

export function ManageLink({ monitorId }: { readonly monitorId: string }) {
  if (!useMay('ReplaceMonitor')) return null
  return (
    <Link className={styles.edit} href={`/manage/monitors/${encodeURIComponent(monitorId)}`}>
      Edit
    </Link>
  )
}
