// views/on-call/calendar-grid.tsx: weeks as rows of days, shifts as blocks across them. The blocks are one stop of the
// keyboard: arrows move among them, up and down to the weeks around.
import { type KeyboardEvent, useState } from 'react'
import type { Stretch } from './dragged-stretch.ts'
import styles from './on-call.module.css'
import { initialsOf, tintOf } from './people-of.ts'
import { useStretchDrag } from './use-stretch-drag.ts'
import { dayInWords, type ShownTime } from './wall-clock.ts'
import { type Piece, type ShownShift, shareOf, shiftInWords, type Week } from './weeks.ts'

export interface CalendarGridProps {
  readonly label: string
  readonly weeks: readonly Week[]
  readonly now: ShownTime
  /** Whom the schedule names, for their tints. */
  readonly people: readonly string[]
  /** Whose shifts stand out; null shows all alike. */
  readonly person: string | null
  readonly chosen: ShownShift | null
  readonly onChoose: (shift: ShownShift) => void
  /** A time was dragged over; null where nothing can be done with it. */
  readonly onMark: ((stretch: Stretch) => void) | null
}

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const

export function CalendarGrid(props: CalendarGridProps) {
  const { label, weeks, now, onMark } = props
  const { marked, handlers } = useStretchDrag(weeks, onMark)
  const keys = weeks.flatMap(({ monday, pieces }) => pieces.map((piece) => keyOf(monday, piece)))
  const [last, setLast] = useState<string | null>(null)
  const stop = last !== null && keys.includes(last) ? last : keys[0]
  return (
    <section className={styles.calendar} aria-label={label}>
      <div className={styles.weekdays} aria-hidden="true">
        {weekdays.map((name) => (
          <span key={name}>{name}</span>
        ))}
      </div>
      <ol onKeyDown={moveByKey} {...handlers}>
        {weeks.map((week) => (
          <li key={week.monday} className={styles.week} aria-label={`Week of ${dayInWords(week.monday)}`}>
            <div className={styles.days} aria-hidden="true">
              {week.days.map((day, index) => (
                <span key={day} className={day.slice(0, 10) === now.slice(0, 10) ? styles.today : undefined}>
                  {index === 0 || day.slice(8, 10) === '01' ? dayInWords(day) : Number(day.slice(8, 10))}
                </span>
              ))}
            </div>
            {week.pieces.map((piece) => {
              const key = keyOf(week.monday, piece)
              return (
                <Block
                  key={key}
                  {...props}
                  piece={piece}
                  isStop={key === stop}
                  onFocus={() => setLast(key)}
                />
              )
            })}
            {marked !== null && <Marked stretch={marked} monday={week.monday} />}
            {now >= week.monday && shareOf(week.monday, now) < 1 && (
              <i className={styles.now} style={{ left: `${shareOf(week.monday, now) * 100}%` }} />
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}

function Marked({ stretch, monday }: { readonly stretch: Stretch; readonly monday: ShownTime }) {
  const [start, end] = [shareOf(monday, stretch.from), shareOf(monday, stretch.to)]
  if (end <= start) return null
  return <i className={styles.marked} style={{ left: `${start * 100}%`, width: `${(end - start) * 100}%` }} />
}

interface BlockProps extends Pick<CalendarGridProps, 'people' | 'person' | 'chosen' | 'onChoose'> {
  readonly piece: Piece
  readonly isStop: boolean
  readonly onFocus: () => void
}

function Block({ piece, isStop, onFocus, people, person, chosen, onChoose }: BlockProps) {
  const { shift, start, end, isContinued, goesOn } = piece
  const { personRef, name, isOverride } = shift
  const looks = [
    styles.block,
    personRef === null ? styles.gap : styles[`tint${tintOf(people, personRef)}`],
    isOverride && styles.override,
    isContinued && styles.continued,
    goesOn && styles.goesOn,
    person !== null && personRef !== null && (person === personRef ? styles.theirs : styles.others),
  ]
  return (
    <button
      type="button"
      className={looks.filter(Boolean).join(' ')}
      style={{ left: `${start * 100}%`, width: `${(end - start) * 100}%` }}
      tabIndex={isStop ? 0 : -1}
      aria-pressed={chosen !== null && chosen.fromMs === shift.fromMs && chosen.toMs === shift.toMs}
      title={`${name ?? 'Gap'}${wordsAfterName(shift)}`}
      onFocus={onFocus}
      onClick={() => onChoose(shift)}
    >
      <span className={styles.full} dir="auto">
        {name ?? 'Gap'}
      </span>
      <span className="visually-hidden">{wordsAfterName(shift)}</span>
      <span className={styles.initials} aria-hidden="true">
        {name === null ? '' : initialsOf(name)}
      </span>
    </button>
  )
}

function wordsAfterName(shift: ShownShift): string {
  return `${shift.isOverride ? ' (override)' : ''}, ${shiftInWords(shift)}`
}

function keyOf(monday: ShownTime, { shift }: Piece): string {
  return `${monday} ${shift.fromMs}`
}

function moveByKey(event: KeyboardEvent<HTMLElement>): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
  const blocks = [...event.currentTarget.querySelectorAll('button')]
  const here = blocks.indexOf(event.target as HTMLButtonElement)
  if (here === -1) return
  const next = blockAfter(event.key, blocks, here)
  if (next === undefined) return
  event.preventDefault()
  next.focus()
}

function blockAfter(
  key: string,
  blocks: readonly HTMLButtonElement[],
  here: number,
): HTMLButtonElement | undefined {
  if (key === 'ArrowRight') return blocks[here + 1]
  if (key === 'ArrowLeft') return blocks[here - 1]
  if (key === 'Home') return blocks[0]
  if (key === 'End') return blocks.at(-1)
  const row = blocks[here]!.closest('li')
  const beside =
    key === 'ArrowDown' ? row?.nextElementSibling : key === 'ArrowUp' ? row?.previousElementSibling : null
  const { left } = blocks[here]!.getBoundingClientRect()
  const there = [...(beside?.querySelectorAll('button') ?? [])]
  return there.find((block) => block.getBoundingClientRect().right > left + 1) ?? there.at(-1)
}
