// views/monitor/status-in-words.tsx: the status of the monitor, why it is so, and who is told, in words.

import { reasonSentence } from '@pulseward/contract/v1/words'
import { MonitorLink } from '../../components/monitor-link.tsx'
import { Status, StatusGlyph } from '../../components/status.tsx'
import { Until } from '../../components/time.tsx'
import { useKnownMonitors } from '../../data/known-monitors.ts'
import type { MonitorDetail } from '../../data/monitor.ts'
import { bodyOf } from '../../data/reading.ts'
import { useServiceState } from '../../data/state.ts'
import { Why } from '../../explaining/why.tsx'
import { plural } from '../../format/count.ts'
import { withLocalTimes } from '../../format/time.ts'
import styles from './monitor.module.css'
import { ToldOfFailure } from './told-of-failure.tsx'
import { WhyRecorded } from './why-recorded.tsx'

export function StatusInWords({ monitor }: { readonly monitor: MonitorDetail }) {
  const {
    status,
    status_reason,
    last_error,
    warning,
    unknown_actions,
    suppressed_by,
    snoozed_until,
    audience,
  } = monitor
  const failing = monitor.consecutive_failures > 0 || monitor.incident
  return (
    <div className={styles.head}>
      <p className={styles.status}>
        <strong>
          <Status of={monitor} />
        </strong>
        {snoozed_until === null ? (
          <span title={status_reason ?? undefined}>
            {withLocalTimes(reasonSentence(status, status_reason))}
          </span>
        ) : (
          <span>
            Not checked, nobody is notified. The snooze ends <Until at={snoozed_until} />.
          </span>
        )}
        {monitor.monitor_id !== undefined && (
          <Why kind="monitors" id={monitor.monitor_id} of={monitor.name} />
        )}
      </p>
      <WhyRecorded monitor={monitor} />
      {failing && last_error !== null && <p className={styles.error}>{last_error}</p>}
      {monitor.monitor_id !== undefined && <HeldBack monitorId={monitor.monitor_id} />}
      {warning !== null && status !== 'degraded' && <p className={styles.note}>Warning: {warning}</p>}
      {suppressed_by !== null && <Suppressed by={suppressed_by} />}
      {unknown_actions > 0 && (
        <p className={styles.note} title="unknown_actions">
          {plural(unknown_actions, 'action was', 'actions were')} sent, but no answer arrived. Pulseward never
          repeats an action by itself: check what happened.
        </p>
      )}
      {audience !== undefined && status !== 'disabled' && <ToldOfFailure audience={audience} />}
    </div>
  )
}

/** Never beside an open incident: something is being done then. */
function HeldBack({ monitorId }: { readonly monitorId: string }) {
  const heldBack = bodyOf(useServiceState(monitorId))?.held_back ?? null
  return (
    <div role="status">
      {heldBack !== null && (
        <p className={styles.heldBack} title="held_back">
          <StatusGlyph status="degraded" />
          <span>It fails, yet no incident is open: {heldBack}.</span>
        </p>
      )}
    </div>
  )
}

function Suppressed({ by }: { readonly by: string }) {
  const known = useKnownMonitors([by]).get(by)
  return (
    <p className={styles.note} title="suppressed_by">
      No notifications are sent about it: it depends on{' '}
      <MonitorLink id={known?.id} name={known?.name ?? by} />, which is in trouble.
    </p>
  )
}
