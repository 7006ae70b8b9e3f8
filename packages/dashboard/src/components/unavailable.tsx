// components/unavailable.tsx: it could not be read, so nothing is known. Looks like neither empty nor healthy.
import type { ReactNode } from 'react'
import type { ReadFailure } from '../data/failure.ts'
import styles from './looks.module.css'

export interface UnavailableProps {
  readonly what: string
  readonly failure: ReadFailure
  readonly children?: ReactNode
}

export function Unavailable({ what, failure, children }: UnavailableProps) {
  return (
    <div className={styles.unavailable} role="status">
      <p>
        <strong>{what} is not available.</strong> {failure.message}
      </p>
      {failure.requestId !== null && (
        <p className={styles.code}>
          <code>{failure.code}</code> · request <code>{failure.requestId}</code>
        </p>
      )}
      {children}
    </div>
  )
}
