// views/manage/form/leaf-fields.tsx: fields for one value or a list of values.
import { useState } from 'react'
import type { Json } from '../json.ts'
import type { Mark } from '../marks.ts'
import { type Schema, scalarOf } from '../schema.ts'
import { FieldFrame, Marks } from './field-frame.tsx'
import styles from './form.module.css'
import type { FieldState } from './form-state.ts'

export interface LeafProps {
  readonly label: string
  readonly schema: Schema
  readonly isRequired: boolean
  readonly field: FieldState
}

export function TextLeaf({ label, schema, isRequired, field }: LeafProps) {
  const text = typeof field.value === 'string' ? field.value : ''
  const isLong = /\bPEM\b|\bbody\b/i.test(schema.description ?? '') && (schema.maxLength ?? Infinity) > 4096
  const set = (typed: string) => field.set(typed === '' ? undefined : typed)
  return (
    <FieldFrame label={label} hint={schema.description} isRequired={isRequired} marks={field.marks}>
      {(control) =>
        isLong || text.includes('\n') ? (
          <textarea
            {...control}
            rows={3}
            spellCheck={false}
            value={text}
            onChange={(event) => set(event.target.value)}
          />
        ) : (
          <input
            {...control}
            type="text"
            autoComplete="off"
            spellCheck={false}
            placeholder={defaultOf(schema)}
            value={text}
            onChange={(event) => set(event.target.value)}
          />
        )
      }
    </FieldFrame>
  )
}

/** Input of none of the types is sent to the service as text; the service says what is wrong with it. */
export function ScalarLeaf({
  label,
  schema,
  isRequired,
  field,
  types,
}: LeafProps & { types: readonly string[] }) {
  return (
    <FieldFrame label={label} hint={schema.description} isRequired={isRequired} marks={field.marks}>
      {(control) => (
        <input
          {...control}
          type="text"
          inputMode={types.includes('string') ? 'text' : 'decimal'}
          autoComplete="off"
          placeholder={defaultOf(schema)}
          value={field.value === undefined ? '' : String(field.value)}
          onChange={({ target }) =>
            field.set(target.value === '' ? undefined : scalarOf(target.value, types))
          }
        />
      )}
    </FieldFrame>
  )
}

export function ChoiceLeaf(
  props: LeafProps & { readonly choices: readonly Json[]; readonly words?: readonly string[] },
) {
  const { label, schema, isRequired, field, choices, words } = props
  const place = choices.indexOf(field.value ?? null)
  const standard = defaultOf(schema)
  const isOther = field.value !== undefined && place === -1
  return (
    <FieldFrame label={label} hint={schema.description} isRequired={isRequired} marks={field.marks}>
      {(control) => (
        <select
          {...control}
          value={isOther ? 'other' : field.value === undefined ? '' : String(place)}
          onChange={({ target }) =>
            field.set(target.value === '' ? undefined : choices[Number(target.value)])
          }
        >
          <option value="">{standard === undefined ? 'not given' : `not given: ${standard}`}</option>
          {isOther && <option value="other">{String(field.value)}</option>}
          {choices.map((choice, index) => (
            <option key={String(choice)} value={index}>
              {words?.[index] ?? String(choice)}
            </option>
          ))}
        </select>
      )}
    </FieldFrame>
  )
}

/** Any of a few values: a box for each. */
export function ChoicesLeaf({
  label,
  schema,
  isRequired,
  field,
  choices,
}: LeafProps & { readonly choices: readonly Json[] }) {
  const chosen = Array.isArray(field.value) ? field.value : []
  const turn = (choice: Json) => {
    const next = choices.filter((one) => chosen.includes(one) !== (one === choice))
    field.set(next.length === 0 && !isRequired ? undefined : next)
  }
  return (
    <fieldset className={styles.group}>
      <legend>{label}</legend>
      <p className={styles.hint}>{schema.description}</p>
      <div className={styles.boxes}>
        {choices.map((choice) => (
          <label key={String(choice)} className={styles.box}>
            <input type="checkbox" checked={chosen.includes(choice)} onChange={() => turn(choice)} />
            {String(choice)}
          </label>
        ))}
      </div>
      <Marks marks={field.marks} />
    </fieldset>
  )
}

export function BooleanLeaf(props: LeafProps) {
  return <ChoiceLeaf {...props} choices={[true, false]} words={['yes', 'no']} />
}

/** Never shown again once it is stored; typed input does not appear in the text. */
export function HiddenTextLeaf(props: {
  readonly label: string
  readonly hint: string
  readonly isRequired: boolean
  readonly value: string
  readonly marks: readonly Mark[]
  readonly onChange: (value: string) => void
}) {
  const { label, hint, isRequired, value, marks, onChange } = props
  return (
    <FieldFrame label={label} hint={hint} isRequired={isRequired} marks={marks}>
      {(control) => (
        <input
          {...control}
          type="password"
          autoComplete="new-password"
          spellCheck={false}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </FieldFrame>
  )
}

/** One per line. An empty line that is being typed is not a value yet. */
export function TextsLeaf({
  label,
  schema,
  isRequired,
  field,
  types,
}: LeafProps & { types: readonly string[] }) {
  const [typed, setTyped] = useState('')
  const items = Array.isArray(field.value) ? field.value : []
  const itemsOf = (text: string) =>
    text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [scalarOf(line.trim(), types)]))
  const text = JSON.stringify(itemsOf(typed)) === JSON.stringify(items) ? typed : items.join('\n')
  return (
    <FieldFrame
      label={label}
      hint={`${schema.description ?? ''} One per line.`}
      isRequired={isRequired}
      marks={field.marks}
    >
      {(control) => (
        <textarea
          {...control}
          rows={Math.min(6, Math.max(2, items.length + 1))}
          spellCheck={false}
          placeholder={defaultOf(schema)}
          value={text}
          onChange={({ target }) => {
            setTyped(target.value)
            const list = itemsOf(target.value)
            field.set(list.length === 0 ? undefined : list)
          }}
        />
      )}
    </FieldFrame>
  )
}

/** A value that no field can show is left unchanged. */
export function InTextLeaf({ label, schema, field }: Omit<LeafProps, 'isRequired'>) {
  const text = field.value === undefined ? null : JSON.stringify(field.value)
  return (
    <div className={styles.field}>
      <p className={styles.label}>{label}</p>
      {text !== null && (
        <code className={styles.excerpt}>{text.length > 300 ? `${text.slice(0, 300)}…` : text}</code>
      )}
      <p className={styles.hint}>{schema.description} This can be changed only in the text.</p>
      <Marks marks={field.marks} />
    </div>
  )
}

function defaultOf({ default: standard }: Schema): string | undefined {
  if (standard === undefined) return undefined
  return Array.isArray(standard) ? standard.join(', ') : String(standard)
}
