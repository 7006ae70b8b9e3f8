// views/manage/form/reference-fields.tsx: ids of other resources, found by typing. An id that the list does
// not offer may be typed too: the service says whether it exists.
import { useId, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { useMonitors } from '../../../data/monitors.ts'
import { bodyOf } from '../../../data/reading.ts'
import { useResting } from '../../../data/use-resting.ts'
import { useResourceList } from '../../../data/v2-reading.ts'
import { type Json, type Path, pointerOf } from '../json.ts'
import { type ManagedKind, wordsOf } from '../kinds.ts'
import { type ControlProps, FieldFrame } from './field-frame.tsx'
import styles from './form.module.css'
import { useField, useForm } from './form-state.ts'
import { NewCredential } from './new-credential.tsx'

const restMs = 150
const mostMonitors = 30
const mostResources = 500

interface Choice {
  readonly id: string
  readonly name: string | undefined
}

/** The service searches monitors, since there may be a million; other kinds have few. */
function useChoices(kind: ManagedKind, typed: string): readonly Choice[] {
  const isMonitor = kind === 'Monitor'
  const words = useResting(typed, restMs)
  const monitors = bodyOf(useMonitors({ q: words, size: mostMonitors }, { enabled: isMonitor }))
  const others = bodyOf(useResourceList(wordsOf(kind).path, { limit: mostResources }, !isMonitor))
  if (isMonitor)
    return (monitors?.monitors ?? []).flatMap(({ monitor_id, name }) =>
      monitor_id === undefined ? [] : [{ id: monitor_id, name }],
    )
  return (others?.items ?? []).map(({ metadata: { id, name } }) => ({ id, name }))
}

function Picker(props: {
  readonly kind: ManagedKind
  readonly value: string
  readonly onChange: (value: string) => void
  readonly onEnter?: () => void
  readonly control: ControlProps
}) {
  const { kind, value, onChange, onEnter, control } = props
  const list = useId()
  const choices = useChoices(kind, value)
  return (
    <>
      <input
        {...control}
        type="text"
        list={list}
        autoComplete="off"
        spellCheck={false}
        placeholder={`Type to find a ${wordsOf(kind).one}`}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || onEnter === undefined) return
          event.preventDefault()
          onEnter()
        }}
      />
      <datalist id={list}>
        {choices.map(({ id, name }) => (
          <option key={id} value={id}>
            {name ?? id}
          </option>
        ))}
      </datalist>
    </>
  )
}

export function CredentialPicker({
  label,
  ...props
}: {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly control: ControlProps
}) {
  return (
    <div className={styles.row}>
      <Picker kind="Credential" {...props} />
      <NewCredential label={label} onMade={props.onChange} />
    </div>
  )
}

export interface ReferencesProps {
  readonly kind: ManagedKind
  readonly label: string
  readonly hint: string | undefined
  readonly isRequired: boolean
  readonly path: Path
}

export function ReferencesField({ kind, label, hint, isRequired, path }: ReferencesProps) {
  const { marks } = useForm()
  const field = useField(path)
  const [typed, setTyped] = useState('')
  const ids: readonly Json[] = Array.isArray(field.value) ? field.value : []
  const set = (next: readonly Json[]) => field.set(next.length === 0 && !isRequired ? undefined : next)
  const add = () => {
    const id = typed.trim()
    if (id === '') return
    if (!ids.includes(id)) set([...ids, id])
    setTyped('')
  }
  const own = marks.filter(({ pointer }) => pointer !== null && isWithin(pointer, pointerOf(path)))
  return (
    <FieldFrame label={label} hint={hint} isRequired={isRequired} marks={own}>
      {(control) => (
        <>
          {ids.length > 0 && (
            <ul className={styles.chips} aria-label={label}>
              {ids.map((id, index) => (
                <li key={String(id)} className={styles.chip}>
                  <span>{typeof id === 'string' ? id : JSON.stringify(id)}</span>
                  <button
                    type="button"
                    aria-label={`Remove ${String(id)}`}
                    onClick={() => set(ids.toSpliced(index, 1))}
                  >
                    ×
                  </button>
                </li>
              ))}
            </ul>
          )}
          <div className={styles.row}>
            <Picker kind={kind} value={typed} onChange={setTyped} onEnter={add} control={control} />
            <Button onClick={add} aria-label={`Add to ${label}`}>
              Add
            </Button>
          </div>
        </>
      )}
    </FieldFrame>
  )
}

function isWithin(pointer: string, outer: string): boolean {
  return pointer === outer || pointer.startsWith(`${outer}/`)
}
