// views/system/workers-panel.tsx: external workers, and whether any of them takes the waiting jobs. Left out
// if external jobs are off or the edition has none.
import type { ExternalWorker, ExternalWorkers } from '@pulseward/contract'
import { BigFigure, Note } from '../../components/big-figure.tsx'
import { Empty } from '../../components/empty.tsx'
import { Panel } from '../../components/panel.tsx'
import { ReadingView } from '../../components/reading-view.tsx'
import { Mark, StatusGlyph } from '../../components/status.tsx'
import { Cell, Figure, Heading, Table } from '../../components/table.tsx'
import { Age, AgeAt } from '../../components/time.tsx'
import { serviceNowMs, useNowMs } from '../../data/service-clock.ts'
import { useServiceState } from '../../data/state.ts'
import { formatCount, plural } from '../../format/count.ts'
import styles from './system.module.css'
import { calledLately, isSilent, isUnattended, noWorkerAsked, runsOf, waitInVain } from './worker-words.ts'

/** If there are more, the list is collapsed. */
const shownAtOnce = 10

export function WorkersPanel() {
  const reading = useServiceState()
  if (!reading.available) return null
  const { external_workers: external, process } = reading.body
  if (external === undefined || external === null) return null
  const readAtMs = serviceNowMs(reading.readAtMs)
  const { workers, more } = external
  return (
    <Panel title="External workers" aside="they run jobs outside the service" flush>
      <div className={styles.inset}>
        <ReadingView reading={reading} what="The state of external workers">
          {() => (
            <>
              {isUnattended(external, readAtMs, process.uptime_seconds) && <Unattended external={external} />}
              {workers.length === 0 && <NoWorker uptimeSeconds={process.uptime_seconds} />}
              <div className={styles.figures}>
                {workers.length > 0 && (
                  <BigFigure means={calledLately(external, readAtMs)}>
                    {formatCount(workers.length + more)}
                  </BigFigure>
                )}
                <Jobs external={external} />
              </div>
            </>
          )}
        </ReadingView>
      </div>
      {workers.length > 0 && <Workers workers={workers} readAtMs={readAtMs} />}
      {more > 0 && (
        <div className={styles.inset}>
          <Note>{plural(more, 'more worker')} seen before these.</Note>
        </div>
      )}
    </Panel>
  )
}

function Unattended({ external: { workers, waiting_jobs } }: { readonly external: ExternalWorkers }) {
  const [last] = workers
  return (
    <p className={styles.error} role="status">
      <StatusGlyph status="incident" /> <strong>{waitInVain(waiting_jobs)}</strong>{' '}
      {last === undefined ? (
        'Start a worker that runs them.'
      ) : (
        <>
          {last.worker} was the last, <Age since={last.last_seen_at} /> ago. Start it again; if it runs, its
          log says why it cannot reach Pulseward.
        </>
      )}
    </p>
  )
}

function NoWorker({ uptimeSeconds }: { readonly uptimeSeconds: number }) {
  return (
    <Empty>
      {noWorkerAsked(uptimeSeconds)} <code>pulseward worker init NAME</code> creates a worker project; its
      README says how to run it.
    </Empty>
  )
}

function Jobs({ external }: { readonly external: ExternalWorkers }) {
  const { waiting_jobs: waiting, running_jobs: running, waiting_polls: polls } = external
  return (
    <>
      <BigFigure means={`${waiting === 1 ? 'job' : 'jobs'} waiting`}>{formatCount(waiting)}</BigFigure>
      <BigFigure means={`${running === 1 ? 'job' : 'jobs'} running`}>{formatCount(running)}</BigFigure>
      <BigFigure means={`${polls === 1 ? 'poll' : 'polls'} waiting for work`}>{formatCount(polls)}</BigFigure>
    </>
  )
}

interface WorkersProps {
  readonly workers: readonly ExternalWorker[]
  readonly readAtMs: number
}

function Workers({ workers, readAtMs }: WorkersProps) {
  const others = workers.slice(shownAtOnce)
  return (
    <>
      <WorkerTable
        caption="External workers, the last seen first"
        workers={workers.slice(0, shownAtOnce)}
        readAtMs={readAtMs}
      />
      {others.length > 0 && (
        <details className={styles.others}>
          <summary>{plural(others.length, 'other worker')}</summary>
          <WorkerTable caption="Other external workers" workers={others} readAtMs={readAtMs} />
        </details>
      )}
    </>
  )
}

function WorkerTable({ caption, workers, readAtMs }: WorkersProps & { readonly caption: string }) {
  const nowMs = useNowMs()
  return (
    <Table
      caption={caption}
      head={
        <>
          <Heading title="The principal is the one whose token the worker has">Worker · principal</Heading>
          <Heading figure title="Jobs that it runs, of those that it can run at once">
            Runs
          </Heading>
          <Heading figure>Last seen</Heading>
        </>
      }
    >
      {workers.map(({ worker, principal, active, capacity, last_seen_at }) => (
        <tr key={`${principal}\n${worker}`}>
          <Cell className={styles.worker}>
            {worker} <span className={styles.principal}>{principal}</span>
          </Cell>
          <Figure>{runsOf(active, capacity)}</Figure>
          <Figure>
            <span className={styles.seen}>
              {isSilent(last_seen_at, readAtMs) && (
                <Mark look="unknown" title="It has not called for more than a minute">
                  Silent
                </Mark>
              )}
              <span>
                <AgeAt since={last_seen_at} nowMs={nowMs} /> ago
              </span>
            </span>
          </Figure>
        </tr>
      ))}
    </Table>
  )
}
