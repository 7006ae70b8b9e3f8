// views/report/period-form.tsx: chooses the period of a report, in the reader's time zone. The URL changes on
// submit, not with every digit.
import { useState } from 'react'
import { useLocation } from 'wouter'
import { Button } from '../../components/button.tsx'
import { TextField } from '../../components/field.tsx'
import { serviceNowMs } from '../../data/service-clock.ts'
import { lastPeriod, type Period, reportPath } from './period.ts'
import styles from './report.module.css'

export interface PeriodFormProps {
  readonly id: string
  readonly period: Period | null
}

const dayMs = 86_400_000
const lasts = [
  { words: '24 h', lengthMs: dayMs },
  { words: '7 d', lengthMs: 7 * dayMs },
  { words: '30 d', lengthMs: 30 * dayMs },
]

export function PeriodForm({ id, period }: PeriodFormProps) {
  const [, navigate] = useLocation()
  const [from, setFrom] = useState(localTime(period?.fromMs))
  const [to, setTo] = useState(localTime(period?.toMs))
  const [problem, setProblem] = useState<string | null>(null)
  const show = () => {
    const [fromMs, toMs] = [new Date(from).getTime(), new Date(to).getTime()]
    if (Number.isNaN(fromMs) || Number.isNaN(toMs)) setProblem('Enter the start and the end of the period.')
    else if (fromMs >= toMs) setProblem('The period has to end after it begins.')
    else navigate(reportPath(id, { fromMs, toMs }))
  }
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        show()
      }}
    >
      <TextField
        label="From"
        type="datetime-local"
        value={from}
        onChange={(event) => setFrom(event.target.value)}
      />
      <TextField
        label="To"
        type="datetime-local"
        value={to}
        onChange={(event) => setTo(event.target.value)}
      />
      <Button type="submit">Show</Button>
      {lasts.map(({ words, lengthMs }) => (
        <Button
          key={words}
          weight="quiet"
          aria-label={`The last ${words}`}
          onClick={() => navigate(reportPath(id, lastPeriod(lengthMs, serviceNowMs())))}
        >
          {words}
        </Button>
      ))}
      <span role="alert" className={styles.problem}>
        {problem}
      </span>
    </form>
  )
}

/** The format of the control: 2026-03-12T14:03. */
function localTime(ms: number | undefined): string {
  if (ms === undefined) return ''
  return new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
