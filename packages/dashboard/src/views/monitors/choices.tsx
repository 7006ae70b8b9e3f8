// views/monitors/choices.tsx: a filter with a closed set of values, and how many monitors have each.
import { SelectField } from '../../components/field.tsx'
import { formatCount } from '../../format/count.ts'

export interface Choice {
  readonly value: string
  readonly words: string
  readonly count?: number | undefined
}

export interface ChoicesProps {
  readonly label: string
  readonly hideLabel?: boolean
  /** What stands for no filter. */
  readonly any?: string
  readonly value: string
  readonly choices: readonly Choice[]
  readonly onChange: (value: string) => void
}

export function Choices({ label, hideLabel = false, any = 'Any', value, choices, onChange }: ChoicesProps) {
  const isListed = value === '' || choices.some((choice) => choice.value === value)
  return (
    <SelectField
      label={label}
      hideLabel={hideLabel}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    >
      <option value="">{any}</option>
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
