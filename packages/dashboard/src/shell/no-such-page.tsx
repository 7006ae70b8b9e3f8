import { Link } from 'wouter'
import { PageTitle } from '../components/page-title.tsx'
import styles from './shell.module.css'

export function NoSuchPage() {
  return (
    <>
      <PageTitle>There is no such page</PageTitle>
      <p>
        <Link href="/" className={styles.link}>
          Go to the overview
        </Link>
      </p>
    </>
  )
}
