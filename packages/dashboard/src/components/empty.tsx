// components/empty.tsx: it was read, and there is nothing. Only for data that is available.
import type { ReactNode } from 'react'
import styles from './looks.module.css'

export function Empty({ children }: { readonly children: ReactNode }) {
  return <p className={styles.empty}>{children}</p>
}
