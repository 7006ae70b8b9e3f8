// views/monitors/filters.tsx: the search and the status, which are always in sight, and a button that shows the further
// filters. An unknown value from the URL stays selectable, so that the active filter is always visible.
import { type RefObject, useEffect, useId, useRef, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { TextField } from '../../components/field.tsx'
import { type Counted, lookCounts, statusWords } from '../../components/status-words.ts'
import { type Choice, Choices } from './choices.tsx'
import { furtherFilters } from './filter-state.ts'
import { FurtherFilters, type FurtherFiltersProps } from './further-filters.tsx'
import styles from './monitors.module.css'

export interface FiltersProps extends Omit<FurtherFiltersProps, 'id'> {
  readonly input: RefObject<HTMLInputElement | null>
}

export function Filters({ input, state, change, overview, tags }: FiltersProps) {
  const id = useId()
  const further = furtherFilters(state)
  // A filter that is in force is never hidden at first.
  const [isOpen, setIsOpen] = useState(further > 0)
  return (
    <search className={styles.filters}>
      <SearchField input={input} value={state.q} onChange={(value) => change({ q: value })} />
      <div className={styles.status}>
        <Choices
          label="Status"
          any="Any status"
          hideLabel
          value={state.status}
          onChange={(value) => change({ status: value })}
          choices={statusChoices(overview)}
        />
      </div>
      <Button
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setIsOpen(!isOpen)}
      >
        Filters{further > 0 && ` · ${further}`}
      </Button>
      {isOpen && <FurtherFilters id={id} state={state} change={change} overview={overview} tags={tags} />}
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
    <div className={styles.search}>
      <TextField
        label="Name"
        hideLabel
        type="search"
        placeholder="Find by name"
        aria-keyshortcuts="/"
        ref={input}
        value={text}
        onChange={(event) => type(event.target.value)}
      />
    </div>
  )
}
