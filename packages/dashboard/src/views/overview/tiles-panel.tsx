// views/overview/tiles-panel.tsx: a small fleet as named tiles in groups: state, latency and the last hours of each.
import { memo, useRef } from 'react'
import { Link } from 'wouter'
import { Panel } from '../../components/panel.tsx'
import { ReadingView } from '../../components/reading-view.tsx'
import { StatusGlyph } from '../../components/status.tsx'
import { lookMeanings, lookOf, statusWords } from '../../components/status-words.ts'
import { Age } from '../../components/time.tsx'
import { useKeepsHistory } from '../../data/config.ts'
import type { MonitorList, MonitorRow } from '../../data/monitors.ts'
import { plural } from '../../format/count.ts'
import { formatMilliseconds } from '../../format/duration.ts'
import { Strip } from '../../strips/strip.tsx'
import { useStrips } from '../../strips/use-strips.ts'
import { useTiles } from './fleet-reading.ts'
import overview from './overview.module.css'
import { isTroubled, type TileGroup, tileGroups } from './tile-groups.ts'
import styles from './tiles.module.css'

export function TilesPanel() {
  const reading = useTiles()
  return (
    <Panel
      title="Monitors"
      aside={
        reading.available && (
          <>
            {plural(reading.body.total, 'monitor')} ·{' '}
            <Link href="/monitors" className={overview.link}>
              as a list
            </Link>
          </>
        )
      }
    >
      <ReadingView reading={reading} what="The list of monitors">
        {(list) => <Tiles list={list} />}
      </ReadingView>
    </Panel>
  )
}

function Tiles({ list: { monitors } }: { readonly list: MonitorList }) {
  const box = useRef<HTMLDivElement>(null)
  useStrips(
    box,
    monitors.map(({ id }) => id),
  )
  const groups = tileGroups(monitors)
  // One heading over everything says nothing.
  const hasNames = groups.length > 1
  const hasHours = useKeepsHistory() !== false
  return (
    <div ref={box} className={styles.groups}>
      {groups.map((group) => (
        <Group key={group.tag ?? ''} group={group} hasName={hasNames} hasHours={hasHours} />
      ))}
    </div>
  )
}

interface GroupProps {
  readonly group: TileGroup
  readonly hasName: boolean
  readonly hasHours: boolean
}

function Group({ group, hasName, hasHours }: GroupProps) {
  const { tag, monitors, troubled } = group
  return (
    <section>
      {hasName && (
        <h3 className={styles.heading}>
          {tag ?? 'Without a tag'}{' '}
          <span className={styles.count}>
            {troubled > 0 ? `${troubled} of ${monitors.length} in trouble` : monitors.length}
          </span>
        </h3>
      )}
      <ul className={styles.tiles}>
        {monitors.map((row) => (
          <Tile key={row.id} row={row} hasHours={hasHours} />
        ))}
      </ul>
    </section>
  )
}

interface TileProps {
  readonly row: MonitorRow
  readonly hasHours: boolean
}

const Tile = memo(function Tile({ row, hasHours }: TileProps) {
  const look = lookOf(row)
  return (
    <li>
      <Link
        href={`/monitors/${row.id}`}
        className={`${styles.tile} ${isTroubled(row) ? styles[look] : ''}`}
        title={`${row.name}: ${lookMeanings[look]}`}
      >
        <span className={styles.name}>
          <StatusGlyph status={look} />
          <b>{row.name}</b>
        </span>
        <span className={styles.facts}>
          <span>
            {statusWords[look]}
            {row.consecutive_failures > 0 && row.last_success !== null && (
              <>
                {' '}
                for <Age since={row.last_success} />
              </>
            )}
          </span>
          <span>{formatMilliseconds(row.latency_ms)}</span>
        </span>
        {hasHours && <Strip id={row.id} intervalMs={row.interval_ms} className={styles.strip} />}
      </Link>
    </li>
  )
})
