// components/field.tsx: a labelled native control.
import { type ComponentProps, type ReactNode, useId } from 'react'
import styles from './field.module.css'

interface Labelled {
  readonly label: string
  /** The label is only for screen readers: the placeholder or the position makes it clear visually. */
  readonly hideLabel?: boolean
}

export function TextField({ label, hideLabel, ...rest }: Labelled & ComponentProps<'input'>) {
  const id = useId()
  return (
    <Field id={id} label={label} hideLabel={hideLabel ?? false}>
      <input id={id} className={styles.control} type="text" autoComplete="off" spellCheck={false} {...rest} />
    </Field>
  )
}

export function TextAreaField({ label, hideLabel, ...rest }: Labelled & ComponentProps<'textarea'>) {
  const id = useId()
  return (
    <Field id={id} label={label} hideLabel={hideLabel ?? false}>
      <textarea id={id} className={styles.control} {...rest} />
    </Field>
  )
}

export function SelectField({ label, hideLabel, children, ...rest }: Labelled & ComponentProps<'select'>) {
  const id = useId()
  return (
    <Field id={id} label={label} hideLabel={hideLabel ?? false}>
      <select id={id} className={styles.control} {...rest}>
        {children}
      </select>
    </Field>
  )
}

function Field(props: {
  readonly id: string
  readonly label: string
  readonly hideLabel: boolean
  readonly children: ReactNode
}) {
  return (
    <div className={styles.field}>
      <label htmlFor={props.id} className={props.hideLabel ? 'visually-hidden' : styles.label}>
        {props.label}
      </label>
      {props.children}
    </div>
  )
}
