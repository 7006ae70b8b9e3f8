// components/spark.tsx: one or two series as small lines without axes: the shape only; the figures are beside it.
import styles from './spark.module.css'
import { sparkPath } from './spark-path.ts'

const frame = { width: 200, height: 40, points: 120 }

export interface SparkProps {
  readonly values: readonly (number | null)[]
  /** Drawn fainter, on the same scale. */
  readonly against?: readonly (number | null)[]
}

export function Spark({ values, against = [] }: SparkProps) {
  const known = [...values, ...against].filter((value) => value !== null)
  if (known.length < 2) return null
  const most = Math.max(...known)
  const range = { least: 0, most: most * 1.1 || 1 }
  return (
    <svg className={styles.spark} viewBox="0 -2 200 44" preserveAspectRatio="none" aria-hidden="true">
      <path className={styles.against} d={sparkPath(against, range, frame)} />
      <path className={styles.line} d={sparkPath(values, range, frame)} />
    </svg>
  )
}
