// components/segments.tsx: one of a few choices, as native radio buttons side by side.
import { useId } from 'react'
import styles from './segments.module.css'

export interface SegmentsProps<Value extends string> {
  readonly label: string
  readonly value: Value
  readonly choices: readonly { readonly value: Value; readonly words: string }[]
  readonly onChoose: (value: Value) => void
}

export function Segments<Value extends string>({ label, value, choices, onChoose }: SegmentsProps<Value>) {
  const name = useId()
  return (
    <fieldset className={styles.segments}>
      <legend className="visually-hidden">{label}</legend>
      {choices.map((choice) => (
        <label key={choice.value} className={styles.segment}>
          <input
            type="radio"
            name={name}
            checked={choice.value === value}
            onChange={() => onChoose(choice.value)}
          />
          <span>{choice.words}</span>
        </label>
      ))}
    </fieldset>
  )
}
