// views/on-call/calendar-panel.tsx: eight weeks of one schedule, and in words the shift or the gap that is chosen in them.
import type { v2 } from '@pulseward/contract'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Panel } from '../../components/panel.tsx'
import { ReadingView } from '../../components/reading-view.tsx'
import { useShifts } from '../../data/on-call.ts'
import { useNowMs } from '../../data/service-clock.ts'
import { CalendarGrid } from './calendar-grid.tsx'
import type { Stretch } from './dragged-stretch.ts'
import styles from './on-call.module.css'
import { peopleOf } from './people-of.ts'
import { clockOf, mondayShown, rangeOf } from './schedule-clock.ts'
import { nameOfSchedule } from './sentence.ts'
import { dayInWords, daysLater, type ShownTime } from './wall-clock.ts'
import { type ShownShift, shiftInWords, shownShifts, stretchLeft, weeksOf, weeksShown } from './weeks.ts'

export interface CalendarPanelProps {
  readonly schedule: v2.Schedule
  readonly person: string | null
  readonly onChoosePerson: (id: string) => void
  /** Null for users who may not write overrides of it. */
  readonly onOverride: ((stretch: Stretch | null) => void) | null
}

/** Half of what is shown: one half stays in sight. */
const weeksTurned = 4

export function CalendarPanel({ schedule, person, onChoosePerson, onOverride }: CalendarPanelProps) {
  const { clock, isOwn } = clockOf(schedule)
  const nowMs = useNowMs()
  const [weeksLater, setWeeksLater] = useState(0)
  const [chosen, setChosen] = useState<ShownShift | null>(null)
  const monday = mondayShown(clock, nowMs, weeksLater)
  const [reading] = useShifts([rangeOf(schedule, monday)])
  const turn = (weeks: number) => {
    setWeeksLater(weeks)
    setChosen(null)
  }
  const choose = (shift: ShownShift) => {
    setChosen(shift)
    if (shift.personRef !== null) onChoosePerson(shift.personRef)
  }
  return (
    <Panel
      title={
        <>
          Calendar of <bdi>{nameOfSchedule(schedule)}</bdi>
        </>
      }
      aside={`times of ${clock.zone}`}
    >
      {!isOwn && (
        <p className={styles.note}>
          This browser does not know the time zone {schedule.spec.timezone}: times are shown in UTC.
        </p>
      )}
      <div className={styles.tools}>
        <Button onClick={() => turn(weeksLater - weeksTurned)}>Earlier</Button>
        <Button onClick={() => turn(0)} disabled={weeksLater === 0}>
          This week
        </Button>
        <Button onClick={() => turn(weeksLater + weeksTurned)}>Later</Button>
        {onOverride !== null && (
          <Button
            weight="strong"
            className={styles.add}
            aria-haspopup="dialog"
            onClick={() => onOverride(null)}
          >
            Add an override
          </Button>
        )}
      </div>
      <ReadingView reading={reading!} what="The calendar">
        {(list) => {
          const shifts = shownShifts(list, clock)
          const isWhole = list.to >= rangeOf(schedule, monday).to
          return (
            <>
              <CalendarGrid
                label={`Eight weeks from ${dayInWords(monday)} to ${dayInWords(daysLater(monday, 7 * weeksShown - 1))}`}
                weeks={weeksOf(shifts, monday)}
                now={clock.shownAt(nowMs)}
                people={peopleOf(schedule)}
                person={person}
                chosen={chosen}
                onChoose={choose}
                onMark={onOverride}
              />
              <Legend />
              {!isWhole && (
                <p className={styles.note}>
                  The schedule changes hands too often to show more than the first {list.shifts.length}{' '}
                  shifts.
                </p>
              )}
              <Chosen shift={chosen} now={clock.shownAt(nowMs)} onOverride={onOverride} />
            </>
          )
        }}
      </ReadingView>
    </Panel>
  )
}

function Legend() {
  return (
    <p className={styles.legend}>
      <span>
        <i className={styles.overrideMark} /> override
      </span>
      <span>
        <i className={styles.gapMark} /> gap: no person is on call
      </span>
      <span>
        <i className={styles.nowMark} /> now
      </span>
    </p>
  )
}

function Chosen(props: {
  readonly shift: ShownShift | null
  readonly now: ShownTime
  readonly onOverride: CalendarPanelProps['onOverride']
}) {
  const { shift, now, onOverride } = props
  return (
    <div className={styles.picked}>
      {shift === null && (
        <p className={styles.hint}>
          Choose a shift or a gap to read when it begins and ends
          {onOverride !== null && ', or drag over a time to add an override'}.
        </p>
      )}
      <p role="status">
        {shift !== null && (
          <>
            <b>{shift.name === null ? 'Gap: no person is on call' : <bdi>{shift.name}</bdi>}</b>
            {shift.isOverride && ' by an override'}, {shiftInWords(shift)}
          </>
        )}
      </p>
      {shift !== null && onOverride !== null && !shift.isOverride && shift.to > now && (
        <Button aria-haspopup="dialog" onClick={() => onOverride(stretchLeft(shift, now))}>
          {shift.name === null ? 'Fill this gap' : 'Let another person take it'}
        </Button>
      )}
    </div>
  )
}
