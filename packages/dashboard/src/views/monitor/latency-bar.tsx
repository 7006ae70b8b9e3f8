// views/monitor/latency-bar.tsx: how long one location took beside the slowest one. The figure beside it says the same.
import styles from './latency-bar.module.css'

export function LatencyBar({
  latencyMs,
  slowestMs,
}: {
  readonly latencyMs: number | null
  readonly slowestMs: number
}) {
  if (latencyMs === null || slowestMs === 0) return null
  return (
    <span className={styles.track} aria-hidden="true">
      <span className={styles.bar} style={{ inlineSize: `${(100 * latencyMs) / slowestMs}%` }} />
    </span>
  )
}
