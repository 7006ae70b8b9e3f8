// views/manage/form/group-fields.tsx: fields that contain other fields: an object, a list of objects, one of
// several forms. The caller renders the inner fields, since only it knows every kind of field.
import { type ReactNode, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { type Json, type Path, pointerOf } from '../json.ts'
import { labelOf, type Schema, type Variant, variantOf } from '../schema.ts'
import { FieldFrame, Marks } from './field-frame.tsx'
import styles from './form.module.css'
import { useField, useForm } from './form-state.ts'
import { More } from './more.tsx'
import { isReferred } from './option-references.ts'
import { withoutOption } from './secret-fields.tsx'

export interface PartProps {
  readonly label: string
  readonly schema: Schema
  readonly path: Path
  readonly driver: Path | undefined
}

export function ObjectField({
  label,
  schema,
  isRequired,
  path,
  driver,
  children,
}: PartProps & { readonly isRequired: boolean; readonly children: ReactNode }) {
  const { value, marks } = useField(path)
  const { document } = useForm()
  const isGiven = isRequired || value !== undefined || isReferred(document, driver, path)
  if (!isGiven)
    return (
      <More isNeeded={marks.length > 0} words={`${label}: ${firstWords(schema.description)}`}>
        {children}
      </More>
    )
  return (
    <fieldset className={styles.group}>
      <legend>{label}</legend>
      <p className={styles.hint}>{schema.description}</p>
      <Marks marks={marks} />
      {children}
    </fieldset>
  )
}

export function ObjectsField({
  label,
  schema,
  path,
  children,
}: Omit<PartProps, 'driver'> & { readonly children: (path: Path) => ReactNode }) {
  const { value, set, marks } = useField(path)
  const items: readonly Json[] = Array.isArray(value) ? value : []
  return (
    <fieldset className={styles.group}>
      <legend>{label}</legend>
      <p className={styles.hint}>{schema.description}</p>
      <Marks marks={marks} />
      {items.map((_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: items have no identity but their place.
        <div key={index} className={styles.item}>
          {children([...path, index])}
          <Button
            aria-label={`Remove ${label} ${index + 1}`}
            onClick={() => set(items.length === 1 ? undefined : items.toSpliced(index, 1))}
          >
            Remove
          </Button>
        </div>
      ))}
      <Button className={styles.start} aria-label={`Add to ${label}`} onClick={() => set([...items, {}])}>
        Add
      </Button>
    </fieldset>
  )
}

export function VariantsField({
  label,
  schema,
  variants,
  path,
  driver,
  children,
}: PartProps & {
  readonly variants: readonly Variant[]
  readonly children: (chosen: Variant) => ReactNode
}) {
  const { document, change, marks } = useForm()
  const { value } = useField(path)
  const [wanted, setWanted] = useState<string | null>(null)
  const given = variantOf(variants, value, (name) => isReferred(document, driver, [...path, name]))
  const chosen = given ?? variants.find(({ name }) => name === wanted) ?? null
  const choose = (name: string) => {
    setWanted(name)
    if (driver !== undefined) change([], withoutOption(document, driver, path))
    else change(path, undefined)
  }
  return (
    <>
      <FieldFrame
        label={label}
        hint={schema.description}
        marks={marks.filter(({ pointer }) => pointer === pointerOf(path))}
      >
        {(control) => (
          <select {...control} value={chosen?.name ?? ''} onChange={({ target }) => choose(target.value)}>
            <option value="">none</option>
            {variants.map(({ name }) => (
              <option key={name} value={name}>
                {labelOf(name)}
              </option>
            ))}
          </select>
        )}
      </FieldFrame>
      {chosen !== null && children(chosen)}
    </>
  )
}

function firstWords(description = ''): string {
  return description.split(/[.:;]/)[0]?.toLowerCase() ?? ''
}
