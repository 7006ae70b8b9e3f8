// views/manage/form/secret-fields.tsx: options of a driver whose value comes from a credential. The reference
// is beside the options, in credentialRefs, under the dotted path of the option.
import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { type Json, type Path, pointerOf, valueAt, withValue } from '../json.ts'
import { marksAt } from '../marks.ts'
import type { Schema } from '../schema.ts'
import { FieldFrame } from './field-frame.tsx'
import styles from './form.module.css'
import { useForm } from './form-state.ts'
import { CredentialPicker } from './reference-fields.tsx'

interface OptionProps {
  readonly label: string
  readonly schema: Schema
  readonly isRequired: boolean
  readonly path: Path
  /** The path of the driver. */
  readonly driver: Path
}

/** Options follow the path of the driver and `config`. */
function referencePath(driver: Path, path: Path): Path {
  return [...driver, 'credentialRefs', path.slice(driver.length + 1).join('.')]
}

function useReference(driver: Path, path: Path) {
  const { document, change, marks } = useForm()
  const at = referencePath(driver, path)
  const id = valueAt(document, at)
  return {
    id: typeof id === 'string' ? id : null,
    set: (next: string | null) => change(at, next ?? undefined, driver.length),
    marks: [...marksAt(marks, pointerOf(at)), ...marksAt(marks, pointerOf(path))],
  }
}

export function SecretField({ label, schema, isRequired, path, driver }: OptionProps) {
  const reference = useReference(driver, path)
  const hint =
    schema.secret === true && schema.description?.startsWith('A reference') ? undefined : schema.description
  return (
    <FieldFrame
      label={label}
      hint={`${hint ?? ''} A secret: name the credential that holds it.`.trim()}
      isRequired={isRequired}
      marks={reference.marks}
    >
      {(control) => (
        <CredentialPicker
          label={label}
          control={control}
          value={reference.id ?? ''}
          onChange={(typed) => reference.set(typed === '' ? null : typed)}
        />
      )}
    </FieldFrame>
  )
}

export function TextOrSecretField({ label, schema, isRequired, path, driver }: OptionProps) {
  const { document, change } = useForm()
  const reference = useReference(driver, path)
  const [isReferring, setIsReferring] = useState(false)
  const value = valueAt(document, path)
  const text = typeof value === 'string' ? value : ''
  const isFromCredential = reference.id !== null || (isReferring && value === undefined)
  const kept = driver.length + 1
  const turn = () => {
    setIsReferring(!isFromCredential)
    if (isFromCredential) reference.set(null)
    else if (value !== undefined) change(path, undefined, kept)
  }
  const set = (typed: string) => change(path, typed === '' ? undefined : typed, kept)
  return (
    <FieldFrame
      label={label}
      hint={schema.description?.startsWith('A string, or {') ? undefined : schema.description}
      isRequired={isRequired}
      marks={reference.marks}
      aside={
        <Button
          weight="quiet"
          className={styles.turn}
          onClick={turn}
          aria-label={turnWords(label, isFromCredential)}
        >
          {isFromCredential ? 'Type it' : 'From a credential'}
        </Button>
      }
    >
      {(control) =>
        isFromCredential ? (
          <CredentialPicker
            label={label}
            control={control}
            value={reference.id ?? ''}
            onChange={(typed) => reference.set(typed === '' ? null : typed)}
          />
        ) : text.includes('\n') || /\bPEM\b|\bbody\b/i.test(schema.description ?? '') ? (
          <textarea
            {...control}
            rows={3}
            spellCheck={false}
            value={text}
            onChange={({ target }) => set(target.value)}
          />
        ) : (
          <input
            {...control}
            type="text"
            autoComplete="off"
            spellCheck={false}
            value={text}
            onChange={({ target }) => set(target.value)}
          />
        )
      }
    </FieldFrame>
  )
}

function turnWords(label: string, isFromCredential: boolean): string {
  return isFromCredential ? `${label}: type it` : `${label}: from a credential`
}

/** Removes an option together with the references below it. */
export function withoutOption(document: Json, driver: Path, path: Path): Json {
  const dotted = path.slice(driver.length + 1).join('.')
  const references = valueAt(document, [...driver, 'credentialRefs'])
  const below = Object.keys(references ?? {}).filter(
    (name) => name === dotted || name.startsWith(`${dotted}.`),
  )
  const without = withValue(document, path, undefined, driver.length + 1)
  return below.reduce(
    (here, name) => withValue(here, [...driver, 'credentialRefs', name], undefined, driver.length),
    without,
  )
}
