// views/overview/storage-panel.tsx: whether decisions are stored, and how fast. Left out if the edition stores nothing.
import type { State } from '@pulseward/contract'
import { BigFigure, Note } from '../../components/big-figure.tsx'
import { Panel } from '../../components/panel.tsx'
import { ReadingView } from '../../components/reading-view.tsx'
import { Status } from '../../components/status.tsx'
import { Time } from '../../components/time.tsx'
import { useConfig } from '../../data/config.ts'
import { bodyOf } from '../../data/reading.ts'
import { useServiceState } from '../../data/state.ts'
import { formatBytes, formatCount, plural } from '../../format/count.ts'
import { formatMilliseconds } from '../../format/duration.ts'

export function StoragePanel() {
  const reading = useServiceState()
  const keptDays = bodyOf(useConfig())?.history_retention_days ?? null
  if (!reading.available && reading.reason === 'absent') return null
  return (
    <Panel title="Storage">
      <ReadingView reading={reading} what="The state of the store">
        {(state) => <Figures state={state} keptDays={keptDays} />}
      </ReadingView>
    </Panel>
  )
}

function Figures({ state, keptDays }: { readonly state: State; readonly keptDays: number | null }) {
  const { storage, storage_usage: usage, unknown_actions: held } = state
  return (
    <>
      <BigFigure means={`99 of 100 commits take up to ${formatMilliseconds(storage.commit_latency_p99_ms)}`}>
        {storage.ready ? 'Ready' : 'Not ready'}
      </BigFigure>
      {storage.error !== null && <Note>{storage.error}</Note>}
      <Note>
        Position {formatCount(storage.committed_position)}
        {storage.mode === 'memory' ? ' · in memory only: lost on restart' : ` · ${formatBytes(usage.bytes)}`}
        {usage.available_bytes !== null && `, ${formatBytes(usage.available_bytes)} left`}
        {keptDays !== null && ` · events kept ${plural(keptDays, 'day')}`}
      </Note>
      <Note>
        {storage.last_backup === null ? (
          'No backup yet'
        ) : (
          <>
            Last backup <Time at={storage.last_backup.at} />,{' '}
            {storage.last_backup.verified ? 'verified' : 'not verified'}
          </>
        )}
      </Note>
      {held > 0 && (
        <Note>
          <Status of={{ status: 'unknown' }} /> {plural(held, 'action')} held for review: the answer was lost
        </Note>
      )}
    </>
  )
}
