// views/on-call/override-dialog.tsx: adds, changes or removes one override of a schedule. What was typed stays until it is saved
// or the person closes the dialog, whatever others change meanwhile.
import type { v2 } from '@pulseward/contract'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useRef, useState } from 'react'
import { announcement } from '../../acting/ask.ts'
import { Button } from '../../components/button.tsx'
import { Dialog, DialogButtons } from '../../components/dialog.tsx'
import { SelectField, TextField } from '../../components/field.tsx'
import { useNameOfPerson, usePeople } from '../../data/on-call.ts'
import { bodyOf } from '../../data/reading.ts'
import type { V2Requests } from '../../data/v2-request.ts'
import type { VersionedResource } from '../../data/v2-resource.ts'
import type { Stretch } from './dragged-stretch.ts'
import styles from './on-call.module.css'
import { mistakeIn, type Override, type OverrideMistake, without } from './override-draft.ts'
import { saveOverrides } from './save-override.ts'
import { clockOf } from './schedule-clock.ts'
import { nameOfSchedule } from './sentence.ts'

export interface OverrideAsked {
  readonly schedule: v2.Schedule
  /** The override to change; null adds one. */
  readonly before: Override | null
  /** What a new one begins with. */
  readonly stretch: Stretch | null
}

export interface OverrideDialogProps {
  readonly asked: OverrideAsked
  readonly requests: V2Requests
  readonly onClose: () => void
}

export function OverrideDialog({ asked, requests, onClose }: OverrideDialogProps) {
  const { before, stretch } = asked
  const client = useQueryClient()
  const problem = useId()
  const form = useRef<HTMLFormElement>(null)
  const [base, setBase] = useState<VersionedResource>({
    resource: asked.schedule,
    version: asked.schedule.metadata.resourceVersion ?? '',
  })
  const [draft, setDraft] = useState<Override>(before ?? { from: '', to: '', personRef: '', ...stretch })
  const [mistake, setMistake] = useState<OverrideMistake | null>(null)
  const [said, setSaid] = useState<string | null>(null)
  const [isSending, setSending] = useState(false)
  const [isGone, setGone] = useState(false)
  const nameOf = useNameOfPerson()
  const schedule = base.resource as v2.Schedule
  const { clock } = clockOf(schedule)
  const others = without(schedule.spec.overrides ?? [], before)

  const save = async (overrides: readonly Override[]) => {
    if (isSending || isGone) return
    setSending(true)
    setSaid(null)
    const outcome = await saveOverrides(requests, base, overrides)
    setSending(false)
    void client.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).startsWith('v2') })
    if (outcome.kind === 'saved') {
      announcement.set(outcome.sentence)
      return onClose()
    }
    setSaid(outcome.sentence)
    if (outcome.kind !== 'conflict') return
    if (outcome.now === null) setGone(true)
    else setBase(outcome.now)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const found = mistakeIn(draft, others, nameOf)
    setMistake(found)
    if (found === null) return void save([...others, draft])
    setSaid(null)
    form.current?.querySelector<HTMLElement>(`[name="${found.field}"]`)?.focus()
  }
  const fieldOf = (field: keyof Override) => ({
    name: field,
    value: draft[field],
    onChange: ({ target }: { readonly target: { readonly value: string } }) =>
      setDraft({ ...draft, [field]: target.value }),
    ...(mistake?.field === field && { 'aria-invalid': true, 'aria-describedby': problem }),
  })
  return (
    <Dialog
      title={
        <>
          {before === null ? 'Add an override to ' : 'Change an override of '}
          <bdi>{nameOfSchedule(schedule)}</bdi>
        </>
      }
      onClose={onClose}
    >
      <form ref={form} className={styles.form} onSubmit={submit} noValidate>
        <p>One person is on call for this time, whatever the rotations say.</p>
        <Who {...fieldOf('personRef')} />
        <TextField label={`From (clocks of ${clock.zone})`} type="datetime-local" {...fieldOf('from')} />
        <TextField label={`To (clocks of ${clock.zone})`} type="datetime-local" {...fieldOf('to')} />
        <p id={problem} role="alert" className={styles.problem}>
          {mistake?.sentence}
        </p>
        <p role="status" className={styles.said}>
          {said}
        </p>
        <DialogButtons>
          <Button type="submit" weight="strong" aria-disabled={isSending || isGone}>
            {isSending ? 'Saving…' : 'Save'}
          </Button>
          {before !== null && (
            <Button aria-disabled={isSending || isGone} onClick={() => void save(others)}>
              Remove this override
            </Button>
          )}
          <Button onClick={onClose}>Close</Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}

interface WhoProps {
  readonly name: string
  readonly value: string
  readonly onChange: (event: { readonly target: { readonly value: string } }) => void
}

/** By name; by id where there are more people than one list has. */
function Who(props: WhoProps) {
  const people = bodyOf(usePeople())
  if (people?.nextCursor !== undefined) return <TextField label="Who (the id of a person)" {...props} />
  return (
    <SelectField label="Who" {...props}>
      <option value="">Choose a person</option>
      {people?.items.map(({ metadata: { id, name } }) => (
        <option key={id} value={id}>
          {name ?? id}
        </option>
      ))}
    </SelectField>
  )
}
