// views/manage/first-use/address-field.tsx: one web address, what is wrong with it, and a button.
import { type FormEvent, type ReactNode, useId } from 'react'
import { Button } from '../../../components/button.tsx'
import styles from './first-use.module.css'

export interface AddressFieldProps {
  readonly label: string
  readonly example: string
  readonly typed: string
  readonly onType: (text: string) => void
  readonly problem: string | null
  readonly hint?: ReactNode
  /** Without it there is no button. */
  readonly submit?: string | undefined
  readonly onSubmit: () => void
  /** Further fields. */
  readonly children?: ReactNode
}

export function AddressField(props: AddressFieldProps) {
  const id = useId()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    props.onSubmit()
  }
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <label htmlFor={id}>{props.label}</label>
      <div className={styles.row}>
        <input
          id={id}
          className={styles.input}
          type="url"
          inputMode="url"
          autoComplete="url"
          spellCheck={false}
          placeholder={props.example}
          aria-describedby={`${id}-hint ${id}-problem`}
          aria-invalid={props.problem !== null}
          value={props.typed}
          onChange={({ target }) => props.onType(target.value)}
        />
        {props.children}
        {props.submit !== undefined && (
          <Button type="submit" weight="strong">
            {props.submit}
          </Button>
        )}
      </div>
      <p id={`${id}-hint`} className={styles.hint}>
        {props.hint}
      </p>
      <p id={`${id}-problem`} role="alert" className={styles.problem}>
        {props.problem}
      </p>
    </form>
  )
}
