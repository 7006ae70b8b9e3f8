// views/manage/form/map-field.tsx: a map of names to texts, such as labels and headers.
import { type ReactNode, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { isObject } from '../json.ts'
import { Marks } from './field-frame.tsx'
import styles from './form.module.css'
import { useField, useForm } from './form-state.ts'
import type { PartProps } from './group-fields.tsx'
import { referredBelow } from './option-references.ts'
import { withoutOption } from './secret-fields.tsx'

export function MapField({
  label,
  schema,
  path,
  driver,
  isRequired,
  children,
}: PartProps & {
  readonly isRequired: boolean
  readonly children: (member: string) => ReactNode
}) {
  const { document, change } = useForm()
  const { value: members, marks } = useField(path)
  const given = [...Object.keys(isObject(members) ? members : {}), ...referredBelow(document, driver, path)]
  // A member stays visible while its value moves to a credential or back.
  const [held, setHeld] = useState(given)
  const names = [...new Set([...held, ...given])]
  // One that must be there stays, even without members.
  const kept = isRequired ? path.length : driver === undefined ? 1 : driver.length + 1
  const add = (member: string, text: string) => {
    change([...path, member], text, kept)
    setHeld([...names, member])
  }
  const remove = (member: string) => {
    const at = [...path, member]
    setHeld(names.filter((one) => one !== member))
    if (driver === undefined) change(at, undefined, kept)
    else change([], withoutOption(document, driver, at))
  }
  return (
    <fieldset className={styles.group}>
      <legend>{label}</legend>
      <p className={styles.hint}>{schema.description}</p>
      <Marks marks={marks} />
      {names.map((member) => (
        <div key={member} className={styles.item}>
          {children(member)}
          <Button aria-label={`Remove ${member}`} onClick={() => remove(member)}>
            Remove
          </Button>
        </div>
      ))}
      <NewMember label={label} onAdd={add} />
    </fieldset>
  )
}

function NewMember(props: {
  readonly label: string
  readonly onAdd: (member: string, text: string) => void
}) {
  const { label, onAdd } = props
  const [name, setName] = useState('')
  const [text, setText] = useState('')
  const add = () => {
    if (name.trim() === '') return
    onAdd(name.trim(), text)
    setName('')
    setText('')
  }
  return (
    <div className={styles.pair}>
      <input
        className={styles.control}
        aria-label={`${label}: a new name`}
        placeholder="Name"
        autoComplete="off"
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <input
        className={styles.control}
        aria-label={`${label}: its value`}
        placeholder="Value"
        autoComplete="off"
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          add()
        }}
      />
      <Button aria-label={`Add to ${label}`} onClick={add}>
        Add
      </Button>
    </div>
  )
}
