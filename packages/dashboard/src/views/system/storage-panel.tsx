// views/system/storage-panel.tsx: whether decisions are stored, how fast, and how much space they take. Left
// out if the edition stores nothing.
import type { State } from '@pulseward/contract'
import { BigFigure } from '../../components/big-figure.tsx'
import { Fact, Facts } from '../../components/facts.tsx'
import { Panel } from '../../components/panel.tsx'
import { ReadingView } from '../../components/reading-view.tsx'
import { Age } from '../../components/time.tsx'
import { useConfig } from '../../data/config.ts'
import { bodyOf } from '../../data/reading.ts'
import { useServiceState } from '../../data/state.ts'
import { formatBytes, formatCount, plural } from '../../format/count.ts'
import { formatMilliseconds } from '../../format/duration.ts'
import styles from './system.module.css'

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
  const { storage, storage_usage: usage, unknown_actions } = state
  const isInMemory = storage.mode === 'memory'
  return (
    <>
      <BigFigure
        means={isInMemory ? 'in memory only: everything is lost on restart' : 'decisions are on disk'}
      >
        {storage.ready ? 'Ready' : 'Not ready'}
      </BigFigure>
      {storage.error !== null && <p className={styles.error}>{storage.error}</p>}
      <Facts>
        <Fact term="Committed position" note="The position of the log; it only grows">
          {formatCount(storage.committed_position)}
        </Fact>
        <Fact term="A commit takes">
          {formatMilliseconds(storage.commit_latency_ms)}, {formatMilliseconds(storage.commit_latency_p99_ms)}{' '}
          for the slowest of 100
        </Fact>
        <Fact term="Takes">
          {formatBytes(usage.bytes)}, events {formatBytes(usage.history_bytes)} of it
        </Fact>
        {keptDays !== null && <Fact term="Events are kept">{plural(keptDays, 'day')}</Fact>}
        <Fact term="Free on the disk">{formatBytes(usage.available_bytes)}</Fact>
        <Fact term="Last backup">
          {storage.last_backup === null ? (
            'none yet'
          ) : (
            <>
              <Age since={storage.last_backup.at} /> ago,{' '}
              {storage.last_backup.verified ? 'verified' : 'not verified'}
            </>
          )}
        </Fact>
        <Fact
          term="Actions without an answer"
          note="unknown_actions: of the whole fleet; never repeated by themselves"
        >
          {formatCount(unknown_actions)}
        </Fact>
      </Facts>
    </>
  )
}
