// components/loading.tsx: shown during the first read: quiet bars, and words for people who do not see them.
import styles from './looks.module.css'

export function Loading({ what }: { readonly what: string }) {
  return (
    <div className={styles.loading} role="status">
      <span className="visually-hidden">{what} is loading.</span>
      <i />
      <i />
      <i />
    </div>
  )
}
