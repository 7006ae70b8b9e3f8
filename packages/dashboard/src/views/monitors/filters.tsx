// views/monitors/filters.tsx: name, status, type and notification. The types are those of this fleet; an
// unknown value from the URL stays selectable, so that the active filter is always visible.
import { type RefObject, useEffect, useRef, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { SelectField, TextField } from '../../components/field.tsx'
import { type Counted, lookCounts, statusWords } from '../../components/status-words.ts'
import type { Overview } from '../../data/overview.ts'
import { formatCount } from '../../format/count.ts'
import { codeOrder, codeWords } from '../../words/codes.ts'
import { type FilterState, isFiltered, noFilter } from './filter-state.ts'
import styles from './monitors.module.css'
import type { ChangeFilter } from './use-filter-state.ts'

export interface FiltersProps {
  readonly input: RefObject<HTMLInputElement | null>
  readonly state: FilterState
  readonly change: ChangeFilter
  readonly overview: Overview | null
}

interface Choice {
  readonly value: string
  readonly words: string
  readonly count: number | undefined
}

export function Filters({ input, state, change, overview }: FiltersProps) {
  const { q, status, type, code, tells_nobody } = noFilter
  return (
    <search className={styles.filters}>
      <SearchField input={input} value={state.q} onChange={(value) => change({ q: value })} />
      <Choices
        label="Status"
        value={state.status}
        onChange={(value) => change({ status: value })}
        choices={statusChoices(overview)}
      />
      <Choices
        label="Type"
        value={state.type}
        onChange={(value) => change({ type: value })}
        choices={Object.entries(overview?.by_pulse_type ?? {}).map(([value, count]) => ({
          value,
          words: value,
          count,
        }))}
      />
      <Choices
        label="Notification"
        value={state.code}
        onChange={(value) => change({ code: value })}
        choices={codeOrder.map((value) => ({
          value,
          words: `${codeWords[value]} (${value})`,
          count: overview?.by_code[value],
        }))}
      />
      {(overview?.tells_nobody !== undefined || state.tells_nobody) && (
        <Choices
          label="Who is told"
          value={state.tells_nobody ? 'nobody' : ''}
          onChange={(value) => change({ tells_nobody: value === 'nobody' })}
          choices={[{ value: 'nobody', words: 'Nobody', count: overview?.tells_nobody }]}
        />
      )}
      <Button
        weight="quiet"
        disabled={!isFiltered(state)}
        onClick={() => change({ q, status, type, code, tells_nobody })}
      >
        Clear
      </Button>
    </search>
  )
}

function statusChoices(overview: Counted | null): readonly Choice[] {
  const counts = lookCounts(overview ?? noneCounted)
  return counts.map(([value, count]) => ({
    value,
    words: statusWords[value],
    count: overview === null ? undefined : count,
  }))
}

/** Until the overview is read, to show the choices without their counts. */
const noneCounted: Counted = {
  by_status: { disabled: 0, verifying: 0, incident: 0, down: 0, unknown: 0, degraded: 0, up: 0 },
}

function Choices(props: {
  readonly label: string
  readonly value: string
  readonly choices: readonly Choice[]
  readonly onChange: (value: string) => void
}) {
  const { label, value, choices, onChange } = props
  const isListed = value === '' || choices.some((choice) => choice.value === value)
  return (
    <SelectField label={label} value={value} onChange={(event) => onChange(event.target.value)}>
      <option value="">Any</option>
      {!isListed && <option value={value}>{value}</option>}
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.words}
          {choice.count !== undefined && ` · ${formatCount(choice.count)}`}
        </option>
      ))}
    </SelectField>
  )
}

interface SearchFieldProps {
  readonly input: RefObject<HTMLInputElement | null>
  readonly value: string
  readonly onChange: (value: string) => void
}

/**
 * Shows results during typing: the URL follows every letter. The text is kept separately, since browsers
 * limit how often a URL may change. If the URL changes in another way, the text follows it.
 */
function SearchField({ input, value, onChange }: SearchFieldProps) {
  const [text, setText] = useState(value)
  const told = useRef(value)
  useEffect(() => {
    if (value === told.current) return
    told.current = value
    setText(value)
  }, [value])
  const type = (typed: string) => {
    told.current = typed
    setText(typed)
    onChange(typed)
  }
  return (
    <TextField
      label="Name"
      type="search"
      placeholder="A part of the name"
      aria-keyshortcuts="/"
      ref={input}
      value={text}
      onChange={(event) => type(event.target.value)}
    />
  )
}
