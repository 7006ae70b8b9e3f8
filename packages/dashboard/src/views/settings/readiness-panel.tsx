// views/settings/readiness-panel.tsx: whether the service can do its work, and if not, why.

import { readinessWords } from '@pulseward/contract/v1/words'
import { BigFigure } from '../../components/big-figure.tsx'
import { Fact, Facts } from '../../components/facts.tsx'
import { Panel } from '../../components/panel.tsx'
import { ReadingView } from '../../components/reading-view.tsx'
import { Age } from '../../components/time.tsx'
import { type Readiness, useReady } from '../../data/ready.ts'
import { formatDuration } from '../../format/duration.ts'
import styles from './settings.module.css'

export function ReadinessPanel() {
  return (
    <Panel title="Readiness" aside="targets that are down do not count">
      <ReadingView reading={useReady()} what="The readiness">
        {(ready) => (
          <>
            <BigFigure means={ready.status === 'ready' ? 'the service is working' : 'for these reasons'}>
              {ready.status === 'ready' ? 'Ready' : 'Not ready'}
            </BigFigure>
            <ul className={styles.reasons}>
              {(ready.reasons ?? []).map((reason) => (
                <li key={reason} title={reason}>
                  {readinessWords[reason] ?? reason}
                </li>
              ))}
            </ul>
            <Facts>{conditions(ready)}</Facts>
          </>
        )}
      </ReadingView>
    </Panel>
  )
}

/** Each edition has its own conditions: those it does not send are not shown. */
function conditions(ready: Readiness) {
  return (
    <>
      {ready.admission_initialized !== undefined && (
        <Fact term="Fleet and schedule">{ready.admission_initialized ? 'loaded' : 'being loaded'}</Fact>
      )}
      {ready.controller_progress_at != null && (
        <Fact term="Controller made progress">
          <Age since={ready.controller_progress_at} /> ago
        </Fact>
      )}
      {ready.storage_available !== undefined && (
        <Fact term="Storage">{ready.storage_available ? 'available' : 'not available'}</Fact>
      )}
      {ready.projection_fresh !== undefined && (
        <Fact term="What is shown" note="projection_fresh: not required for readiness">
          {ready.projection_fresh ? 'up to date' : 'not up to date'}
        </Fact>
      )}
      {ready.snapshot_age_seconds != null && (
        <Fact term="Snapshot of the fleet">{formatDuration(ready.snapshot_age_seconds * 1000)} old</Fact>
      )}
    </>
  )
}
