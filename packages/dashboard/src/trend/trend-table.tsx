// trend/trend-table.tsx: every figure in the charts, as tables: for screen readers, and for people who prefer
// numbers. They are rendered when opened; the URL remembers that they are open.
import { Cell, Figure, Heading, Table } from '../components/table.tsx'
import { useParameter } from '../components/use-parameter.ts'
import type { Trend } from '../data/trend.ts'
import { formatCount, missing } from '../format/count.ts'
import { formatDuration, formatMilliseconds } from '../format/duration.ts'
import { formatPercent } from '../format/percent.ts'
import { formatStretch, formatTime } from '../format/time.ts'
import { availabilityPercent, type TrendGrid } from './grid.ts'
import { incidentSpans, maintenanceSpans } from './spans.ts'
import styles from './trend.module.css'
import { windowWords } from './trend-words.ts'

export function TrendTable({ trend, grid }: { readonly trend: Trend; readonly grid: TrendGrid }) {
  const [isOpen, setOpen] = useParameter('table')
  return (
    <details className={styles.table} open={isOpen !== null}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a summary is a button. */}
      <summary
        onClick={(event) => {
          event.preventDefault()
          setOpen(isOpen === null ? 'open' : null, { replace: true })
        }}
      >
        As a table
      </summary>
      {isOpen !== null && (
        <>
          <Cells trend={trend} grid={grid} />
          <Spans trend={trend} grid={grid} />
        </>
      )}
    </details>
  )
}

interface TableOfTrend {
  readonly trend: Trend
  readonly grid: TrendGrid
}

/** Newest first: it is what people look for. */
function Cells({ trend, grid }: TableOfTrend) {
  return (
    <div className={styles.cells}>
      <Table
        caption={`Availability and latency of the last ${windowWords[trend.window]}, by ${formatDuration(grid.cellMs)}`}
        head={
          <>
            <Heading>When</Heading>
            <Heading figure>Healthy</Heading>
            <Heading figure>Samples</Heading>
            <Heading figure>p50</Heading>
            <Heading figure>p95</Heading>
          </>
        }
      >
        {grid.slots.toReversed().map(({ fromMs, toMs, cell }) => (
          <tr key={fromMs}>
            <Cell>{formatStretch(fromMs, toMs)}</Cell>
            <Figure>{formatPercent(availabilityPercent(cell))}</Figure>
            <Figure>
              {cell === null ? missing : `${formatCount(cell.healthy)} of ${formatCount(cell.samples)}`}
            </Figure>
            <Figure>{formatMilliseconds(cell?.p50_ms ?? null)}</Figure>
            <Figure>{formatMilliseconds(cell?.p95_ms ?? null)}</Figure>
          </tr>
        ))}
      </Table>
    </div>
  )
}

function Spans({ trend, grid }: TableOfTrend) {
  const spans = [
    ...incidentSpans(trend, grid).map((span) => ({ ...span, what: 'Incident' })),
    ...(maintenanceSpans(trend, grid) ?? []).map((span) => ({ ...span, what: 'Maintenance' })),
  ].sort((a, b) => b.fromMs - a.fromMs)
  if (spans.length === 0) return null
  return (
    <div className={styles.cells}>
      <Table
        caption="Incidents and maintenance in that time"
        head={
          <>
            <Heading>What</Heading>
            <Heading>From</Heading>
            <Heading>To</Heading>
            <Heading figure>For</Heading>
          </>
        }
      >
        {spans.map(({ what, fromMs, toMs }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two incidents of a fleet may be open at the same time.
          <tr key={`${fromMs} ${index}`}>
            <Cell>{what}</Cell>
            <Cell>{formatTime(fromMs, grid.generatedMs)}</Cell>
            <Cell>{formatTime(toMs, grid.generatedMs)}</Cell>
            <Figure>{formatDuration(toMs - fromMs)}</Figure>
          </tr>
        ))}
      </Table>
    </div>
  )
}
