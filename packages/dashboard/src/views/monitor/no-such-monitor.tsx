import { Link } from 'wouter'
import { PageTitle } from '../../components/page-title.tsx'
import styles from './monitor.module.css'

export function NoSuchMonitor({ id }: { readonly id: string }) {
  return (
    <>
      <PageTitle tab="No such monitor" note={`No monitor has the number ${id}; it may have been removed.`}>
        There is no such monitor
      </PageTitle>
      <p>
        <Link href="/monitors" className={styles.link}>
          Go to the list
        </Link>
      </p>
    </>
  )
}
