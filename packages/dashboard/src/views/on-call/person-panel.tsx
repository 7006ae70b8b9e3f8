// views/on-call/person-panel.tsx: when one person is on call next, by all schedules that name them.
import type { v2 } from '@pulseward/contract'
import { Button } from '../../components/button.tsx'
import { Empty } from '../../components/empty.tsx'
import { SelectField } from '../../components/field.tsx'
import { Panel } from '../../components/panel.tsx'
import { ReadingView } from '../../components/reading-view.tsx'
import { usePeople, useShifts } from '../../data/on-call.ts'
import { useNowMs } from '../../data/service-clock.ts'
import { plural } from '../../format/count.ts'
import type { Stretch } from './dragged-stretch.ts'
import styles from './on-call.module.css'
import { peopleOf } from './people-of.ts'
import { clockOf, mondayShown, rangeOf } from './schedule-clock.ts'
import { nameOfSchedule } from './sentence.ts'
import { type ShownShift, shiftInWords, shownShifts, stretchLeft } from './weeks.ts'

export interface PersonPanelProps {
  readonly schedules: readonly v2.Schedule[]
  readonly person: string | null
  readonly onChoose: (id: string) => void
  readonly mayOverride: (schedule: v2.Schedule) => boolean
  readonly onOverride: (schedule: v2.Schedule, stretch: Stretch) => void
}

/** The shifts of more schedules are not read for one person. */
const mostSchedules = 20
const mostShifts = 12

export function PersonPanel(props: PersonPanelProps) {
  const { schedules, person, onChoose } = props
  return (
    <Panel title="Next shifts" aside="in eight weeks">
      <ReadingView reading={usePeople()} what="The list of people">
        {({ items }) =>
          items.length === 0 ? (
            <Empty>There are no people yet.</Empty>
          ) : (
            <>
              <SelectField
                label="Person"
                value={person ?? ''}
                onChange={({ target }) => onChoose(target.value)}
              >
                {person === null && <option value="">Choose a person</option>}
                {items.map(({ metadata: { id, name } }) => (
                  <option key={id} value={id}>
                    {name ?? id}
                  </option>
                ))}
              </SelectField>
              {person !== null && (
                <Shifts
                  {...props}
                  person={person}
                  schedules={schedules.filter((schedule) => peopleOf(schedule).includes(person))}
                />
              )}
            </>
          )
        }
      </ReadingView>
    </Panel>
  )
}

interface ShiftOfSchedule {
  readonly schedule: v2.Schedule
  readonly shift: ShownShift
}

function Shifts(props: PersonPanelProps & { readonly person: string }) {
  const { schedules, person, mayOverride, onOverride } = props
  const nowMs = useNowMs()
  const asked = schedules.slice(0, mostSchedules)
  const readings = useShifts(asked.map((one) => rangeOf(one, mondayShown(clockOf(one).clock, nowMs))))
  const failed = readings.find((reading) => !reading.available && reading.reason !== 'loading')
  if (failed !== undefined)
    return (
      <ReadingView reading={failed} what="The list of shifts">
        {() => null}
      </ReadingView>
    )
  if (readings.some(({ available }) => !available)) return null
  const found = asked
    .flatMap((schedule, index): readonly ShiftOfSchedule[] => {
      const reading = readings[index]!
      if (!reading.available) return []
      return shownShifts(reading.body, clockOf(schedule).clock).map((shift) => ({ schedule, shift }))
    })
    .filter(({ shift }) => shift.personRef === person && shift.toMs > nowMs)
    .sort((one, other) => one.shift.fromMs - other.shift.fromMs)
  if (found.length === 0) return <Empty>No shift in the next eight weeks.</Empty>
  return (
    <>
      <ul className={styles.shifts}>
        {found.slice(0, mostShifts).map(({ schedule, shift }) => (
          <li key={`${schedule.metadata.id} ${shift.fromMs}`}>
            <p>
              {shiftInWords(shift)}
              {shift.fromMs <= nowMs && <b className={styles.tag}>now</b>}
              {shift.isOverride && <span className={styles.tag}>override</span>}
            </p>
            <p className={styles.quiet}>
              <bdi>{nameOfSchedule(schedule)}</bdi>, {clockOf(schedule).clock.zone}
            </p>
            {!shift.isOverride && mayOverride(schedule) && (
              <Button
                aria-haspopup="dialog"
                onClick={() =>
                  onOverride(schedule, stretchLeft(shift, clockOf(schedule).clock.shownAt(nowMs)))
                }
              >
                Hand over
                <span className="visually-hidden"> {shiftInWords(shift)}</span>
              </Button>
            )}
          </li>
        ))}
      </ul>
      {found.length > mostShifts && (
        <p className={styles.note}>and {plural(found.length - mostShifts, 'more shift')}</p>
      )}
      {schedules.length > mostSchedules && (
        <p className={styles.note}>
          Only the first {mostSchedules} of {plural(schedules.length, 'schedule')} that name them are shown.
        </p>
      )}
    </>
  )
}
