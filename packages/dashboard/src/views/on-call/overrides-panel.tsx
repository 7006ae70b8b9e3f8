// views/on-call/overrides-panel.tsx: the exceptions of one schedule that are not over yet, and those that are, and who may
// change them.
import type { v2 } from '@pulseward/contract'
import { Button } from '../../components/button.tsx'
import { Empty } from '../../components/empty.tsx'
import { Panel } from '../../components/panel.tsx'
import { useMay } from '../../data/may.ts'
import { useNameOfPerson } from '../../data/on-call.ts'
import { useNowMs } from '../../data/service-clock.ts'
import { plural } from '../../format/count.ts'
import styles from './on-call.module.css'
import type { Override } from './override-draft.ts'
import { clockOf } from './schedule-clock.ts'
import { stretchInWords } from './wall-clock.ts'

export interface OverridesPanelProps {
  readonly schedule: v2.Schedule
  /** Null for users who may not change overrides of it. */
  readonly onChange: ((override: Override) => void) | null
}

export function OverridesPanel({ schedule, onChange }: OverridesPanelProps) {
  const { clock } = clockOf(schedule)
  const now = clock.shownAt(useNowMs())
  const all = [...(schedule.spec.overrides ?? [])].sort((one, other) => (one.from < other.from ? -1 : 1))
  const coming = all.filter(({ to }) => to > now)
  const past = all.filter(({ to }) => to <= now)
  return (
    <Panel title="Overrides" aside={`times of ${clock.zone}`}>
      <WhyNot schedule={schedule} />
      {coming.length === 0 ? (
        <Empty>No override is planned.</Empty>
      ) : (
        <Rows overrides={coming} onChange={onChange} />
      )}
      {past.length > 0 && (
        <details className={styles.past}>
          <summary>{plural(past.length, 'override')} of the past</summary>
          <Rows overrides={past} onChange={onChange} />
        </details>
      )}
    </Panel>
  )
}

function WhyNot({ schedule }: { readonly schedule: v2.Schedule }) {
  const mayReplace = useMay('ReplaceSchedule')
  if (schedule.metadata.managedBy === 'file')
    return (
      <p className={styles.note} role="note">
        This schedule comes from a fleet file; change its overrides there. It is read-only here.
      </p>
    )
  return mayReplace ? null : (
    <p className={styles.note} role="note">
      Operators can change them here.
    </p>
  )
}

function Rows(props: {
  readonly overrides: readonly Override[]
  readonly onChange: OverridesPanelProps['onChange']
}) {
  const { overrides, onChange } = props
  const nameOf = useNameOfPerson()
  return (
    <ul className={styles.shifts}>
      {overrides.map((override) => {
        const { from, to, personRef } = override
        return (
          <li key={from}>
            <p>
              <b>
                <bdi>{nameOf(personRef)}</bdi>
              </b>
            </p>
            <p className={styles.quiet}>{stretchInWords(from, to)}</p>
            {onChange !== null && (
              <Button aria-haspopup="dialog" onClick={() => onChange(override)}>
                Change
                <span className="visually-hidden"> {stretchInWords(from, to)}</span>
              </Button>
            )}
          </li>
        )
      })}
    </ul>
  )
}
