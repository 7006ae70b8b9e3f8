// views/manage/form/field-frame.tsx: a label, a control, its description and its mistakes, linked for screen readers.
import { type ReactNode, useId } from 'react'
import { type Mark, sentenceOf } from '../marks.ts'
import styles from './form.module.css'

export interface ControlProps {
  readonly id: string
  readonly className: string | undefined
  readonly 'aria-describedby': string
  readonly 'aria-invalid': boolean
  readonly 'aria-required': boolean
}

export interface FieldFrameProps {
  readonly label: string
  readonly hint?: string | undefined
  readonly isRequired?: boolean
  readonly marks?: readonly Mark[]
  /** Beside the label: another way to provide the value. */
  readonly aside?: ReactNode
  readonly children: (control: ControlProps) => ReactNode
}

export function FieldFrame({
  label,
  hint,
  isRequired = false,
  marks = [],
  aside,
  children,
}: FieldFrameProps) {
  const id = useId()
  const isWrong = marks.some(({ level }) => level === 'mistake')
  return (
    <div className={styles.field}>
      <div className={styles.top}>
        <label htmlFor={id} className={styles.label}>
          {label}
          {!isRequired && !isWrong && <span className={styles.optional}> optional</span>}
        </label>
        {aside}
      </div>
      {children({
        id,
        className: styles.control,
        'aria-describedby': `${id}-hint ${id}-marks`,
        'aria-invalid': isWrong,
        'aria-required': isRequired,
      })}
      <p id={`${id}-hint`} className={styles.hint}>
        {hint}
      </p>
      <div id={`${id}-marks`}>
        <Marks marks={marks} />
      </div>
    </div>
  )
}

export function Marks({ marks }: { readonly marks: readonly Mark[] }) {
  return marks.map(({ level, message }) => (
    <p key={message} className={styles[level]}>
      {level === 'mistake' ? 'Mistake' : 'Warning'}: {sentenceOf(message)}
    </p>
  ))
}
