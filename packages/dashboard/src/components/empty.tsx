// components/empty.tsx: data was read, and there is none. Only for available data.
import type { ReactNode } from 'react'
import styles from './looks.module.css'

export function Empty({ children }: { readonly children: ReactNode }) {
  return <p className={styles.empty}>{children}</p>
}
