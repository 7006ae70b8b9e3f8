// views/monitors/further-filters.tsx: the filters that are used less often, and the order of the rows for screens without
// headings. The types are those of this fleet.
import { useEffect, useId, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { SelectField, TextField } from '../../components/field.tsx'
import type { MonitorOrder } from '../../data/monitors.ts'
import type { Overview } from '../../data/overview.ts'
import { useQueues } from '../../data/queues.ts'
import { bodyOf } from '../../data/reading.ts'
import { useResourceList } from '../../data/v2-reading.ts'
import { codeOrder, codeWords } from '../../words/codes.ts'
import { Choices } from './choices.tsx'
import { orderWords } from './columns.ts'
import { type FilterState, isFiltered, noFilter } from './filter-state.ts'
import styles from './monitors.module.css'
import type { ChangeFilter } from './use-filter-state.ts'

export interface FurtherFiltersProps {
  readonly id: string
  readonly state: FilterState
  readonly change: ChangeFilter
  readonly overview: Overview | null
  /** Tags that people may mean: those of the rows that are shown. */
  readonly tags: readonly string[]
}

export function FurtherFilters({ id, state, change, overview, tags }: FurtherFiltersProps) {
  const { page, size, sort, ...nothing } = noFilter
  return (
    <div id={id} className={styles.further}>
      <Choices
        label="Type"
        value={state.type}
        onChange={(value) => change({ type: value })}
        choices={typeChoices(overview)}
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
      <WhoIsTold state={state} change={change} overview={overview} />
      <WrittenFilter
        label="Tag"
        options={tags}
        value={state.tag}
        onChange={(value) => change({ tag: value })}
      />
      <WrittenFilter
        label="Label"
        placeholder="team=payments"
        value={state.label}
        onChange={(value) => change({ label: value })}
      />
      <GroupFilter value={state.group} onChange={(value) => change({ group: value })} />
      <OrderField order={state.sort} onChange={(sort) => change({ sort })} />
      <Button weight="quiet" disabled={!isFiltered(state)} onClick={() => change(nothing)}>
        Clear
      </Button>
    </div>
  )
}

function typeChoices(overview: Overview | null) {
  return Object.entries(overview?.by_pulse_type ?? {}).map(([value, count]) => ({
    value,
    words: value,
    count,
  }))
}

/** Nobody, or one of the destinations that there are. */
function WhoIsTold({ state, change, overview }: Omit<FurtherFiltersProps, 'id' | 'tags'>) {
  const destinations = bodyOf(useQueues())?.destinations ?? []
  const nobody = { value: 'nobody', words: 'Nobody', count: overview?.tells_nobody }
  const isNobodyCounted = overview?.tells_nobody !== undefined || state.tells_nobody
  const told = destinations.map(({ name }) => ({ value: `${toldPrefix}${name}`, words: name }))
  const chosen = state.told === '' ? '' : `${toldPrefix}${state.told}`
  return (
    <Choices
      label="Who is told"
      value={state.tells_nobody ? 'nobody' : chosen}
      onChange={(value) =>
        change({ tells_nobody: value === 'nobody', told: value.startsWith(toldPrefix) ? value.slice(1) : '' })
      }
      choices={[...(isNobodyCounted ? [nobody] : []), ...told]}
    />
  )
}

/** A destination may be called nobody, too. */
const toldPrefix = '@'

/** Groups have names in v2 only; whoever may not read it knows them from the files. */
function GroupFilter({ value, onChange }: Pick<WrittenFilterProps, 'value' | 'onChange'>) {
  const groups = bodyOf(useResourceList('/api/v2/notification-groups', { limit: groupsOffered }))
  const options = groups?.items.map(({ metadata }) => metadata.id) ?? []
  return <WrittenFilter label="Group" options={options} value={value} onChange={onChange} />
}

const groupsOffered = 100

interface WrittenFilterProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  /** Whole values that people may mean. */
  readonly options?: readonly string[]
  readonly placeholder?: string
}

/**
 * Matches whole values, so it takes effect when it is left, with Enter, or when an option is chosen: half of a tag would
 * find nothing.
 */
function WrittenFilter({ label, value, onChange, options = [], placeholder }: WrittenFilterProps) {
  const list = useId()
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  const take = (typed: string) => typed.trim() !== value && onChange(typed.trim())
  const type = (typed: string) => {
    setText(typed)
    if (options.includes(typed)) take(typed)
  }
  return (
    <div>
      <TextField
        label={label}
        placeholder={placeholder}
        list={options.length > 0 ? list : undefined}
        value={text}
        onChange={({ target }) => type(target.value)}
        onBlur={() => take(text)}
        onKeyDown={({ key }) => key === 'Enter' && take(text)}
      />
      <datalist id={list}>
        {options.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
    </div>
  )
}

function OrderField(props: {
  readonly order: MonitorOrder
  readonly onChange: (order: MonitorOrder) => void
}) {
  const { order, onChange } = props
  const isListed = orderWords.some(([listed]) => listed === order)
  return (
    <SelectField
      label="Sort by"
      value={order}
      onChange={({ target }) => onChange(target.value as MonitorOrder)}
    >
      {!isListed && <option value={order}>{order}</option>}
      {orderWords.map(([value, words]) => (
        <option key={value} value={value}>
          {words}
        </option>
      ))}
    </SelectField>
  )
}
