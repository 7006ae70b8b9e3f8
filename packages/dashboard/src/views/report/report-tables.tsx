// views/report/report-tables.tsx: the tables of a report. All texts are untrusted: text, never markup.
// Nothing is collapsed: paper cannot be clicked.
import { ChangeList } from '../../components/change-list.tsx'
import { CodeMark } from '../../components/code-mark.tsx'
import { Cell, Figure, Heading, Table } from '../../components/table.tsx'
import type { HistoryEvent } from '../../data/history.ts'
import { missing } from '../../format/count.ts'
import { formatDuration } from '../../format/duration.ts'
import { formatMoment } from '../../format/time.ts'
import type { ActionLine, IncidentSpan } from '../monitor/timeline.ts'
import type { Period } from './period.ts'
import styles from './report.module.css'
import { acknowledgedBy, openMs, type ReportLine } from './report.ts'

export function IncidentTable(props: {
  readonly incidents: readonly IncidentSpan[]
  readonly events: readonly HistoryEvent[]
  readonly period: Period
  readonly nowMs: number
}) {
  const { incidents, events, period, nowMs } = props
  return (
    <Table
      caption="Incidents in the period"
      head={
        <>
          <Heading>Opened</Heading>
          <Heading>Closed</Heading>
          <Heading figure>Open in the period</Heading>
          <Heading>Why</Heading>
          <Heading>Ended</Heading>
          <Heading>Acknowledged by</Heading>
        </>
      }
    >
      {incidents.map((span) => (
        <tr key={span.id}>
          <Moment at={span.openedAt} otherwise="earlier" />
          <Moment at={span.closedAt} otherwise="still open" />
          <Figure>{formatDuration(openMs(span, period, nowMs))}</Figure>
          <Text>{causeInWords(span)}</Text>
          <Cell>{span.closedAt === null ? missing : (endings[span.outcome ?? ''] ?? missing)}</Cell>
          <Text>{acknowledgedBy(span, events)}</Text>
        </tr>
      ))}
    </Table>
  )
}

function causeInWords({ cause }: IncidentSpan): string | null {
  if (cause === null) return null
  const { text, failingSince, worker } = cause
  const since = failingSince === null ? '' : `; failing since ${formatMoment(Date.parse(failingSince))}`
  return `${text}${since}${worker === null ? '' : `; seen by worker ${worker}`}`
}

const endings: Readonly<Record<string, string>> = {
  recovered: 'recovered',
  disabled: 'the monitor was disabled',
  removed: 'the monitor was removed',
}

export function LineTable({ lines }: { readonly lines: readonly ReportLine[] }) {
  return (
    <Table
      caption="Everything that happened, in order"
      head={
        <>
          <Heading>When</Heading>
          <Heading>What</Heading>
          <Heading>By</Heading>
          <Heading>Why</Heading>
        </>
      }
    >
      {lines.map(({ id, atMs, what, by, why }) => (
        <tr key={id}>
          <At ms={atMs} />
          <Text>{what}</Text>
          <Text>{by ?? 'Pulseward'}</Text>
          <Text>{why}</Text>
        </tr>
      ))}
    </Table>
  )
}

export function DeedTable({ deeds }: { readonly deeds: readonly ReportLine[] }) {
  return (
    <Table
      caption="What people and clients did"
      head={
        <>
          <Heading>Who</Heading>
          <Heading>What</Heading>
          <Heading>When</Heading>
          <Heading>Why</Heading>
        </>
      }
    >
      {deeds.map(({ id, atMs, what, by, why, changes }) => (
        <tr key={id}>
          <Text>{by}</Text>
          <Cell className={styles.text}>
            {what}
            {changes.length > 0 && <ChangeList changes={changes} />}
          </Cell>
          <At ms={atMs} />
          <Text>{why}</Text>
        </tr>
      ))}
    </Table>
  )
}

export function RecoveryTable({ recoveries }: { readonly recoveries: readonly ActionLine[] }) {
  return (
    <Table
      caption="Outcomes of recoveries"
      head={
        <>
          <Heading>When</Heading>
          <Heading>Outcome</Heading>
          <Heading>Why</Heading>
        </>
      }
    >
      {recoveries.map(({ id, atMs, sentence, reason }) => (
        <tr key={id}>
          <At ms={atMs} />
          <Text>{sentence}</Text>
          <Text>{reason}</Text>
        </tr>
      ))}
    </Table>
  )
}

export function NotificationTable({ notifications }: { readonly notifications: readonly ActionLine[] }) {
  return (
    <Table
      caption="Outcomes of notifications"
      head={
        <>
          <Heading>When</Heading>
          <Heading>About</Heading>
          <Heading>To</Heading>
          <Heading>Outcome</Heading>
          <Heading>Why</Heading>
        </>
      }
    >
      {notifications.map(({ id, atMs, facts: { color, endpoint }, sentence, reason }) => (
        <tr key={id}>
          <At ms={atMs} />
          <Cell>{color == null ? missing : <CodeMark code={color} />}</Cell>
          <Text>{endpoint}</Text>
          <Text>{sentence}</Text>
          <Text>{reason}</Text>
        </tr>
      ))}
    </Table>
  )
}

function Moment({ at, otherwise }: { readonly at: string | null; readonly otherwise: string }) {
  return at === null ? <Cell>{otherwise}</Cell> : <At ms={Date.parse(at)} />
}

function At({ ms }: { readonly ms: number }) {
  const at = new Date(ms).toISOString()
  return (
    <Cell className={styles.at}>
      <time dateTime={at} title={at}>
        {formatMoment(ms)}
      </time>
    </Cell>
  )
}

function Text({ children }: { readonly children: string | null | undefined }) {
  return <Cell className={styles.text}>{children ?? missing}</Cell>
}
