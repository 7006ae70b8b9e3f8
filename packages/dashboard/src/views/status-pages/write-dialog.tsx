// views/status-pages/write-dialog.tsx: writes about an incident: a new one, or the next update of one. Beside the text is what
// customers will read. What was typed stays until it is saved or the person closes the dialog.
import { v2 } from '@pulseward/contract'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useRef, useState } from 'react'
import { announcement } from '../../acting/ask.ts'
import { Button } from '../../components/button.tsx'
import { Dialog, DialogButtons } from '../../components/dialog.tsx'
import { SelectField, TextAreaField, TextField } from '../../components/field.tsx'
import { serviceNowMs } from '../../data/service-clock.ts'
import type { V2Requests } from '../../data/v2-request.ts'
import { type Draft, type DraftMistake, mistakeIn, newDraft, nextDraft } from './incident-draft.ts'
import { Prose } from './prose.tsx'
import { saveIncident } from './save-incident.ts'
import { phaseWords, stateWords } from './state-words.ts'
import styles from './status-pages.module.css'

export interface WriteAsked {
  readonly page: v2.StatusPage
  /** The incident that goes on; null writes a new one. */
  readonly incident: v2.StatusIncident | null
  /** The components that a new one is about. */
  readonly about: readonly v2.StatusComponent[]
}

export interface WriteDialogProps {
  readonly asked: WriteAsked
  readonly requests: V2Requests
  readonly onClose: () => void
}

export function WriteDialog({ asked, requests, onClose }: WriteDialogProps) {
  const { page, incident, about } = asked
  const client = useQueryClient()
  const problem = useId()
  const form = useRef<HTMLFormElement>(null)
  const [draft, setDraft] = useState<Draft>(incident === null ? newDraft(about) : nextDraft(incident.spec))
  const [mistake, setMistake] = useState<DraftMistake | null>(null)
  const [said, setSaid] = useState<string | null>(null)
  const [isSending, setSending] = useState(false)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const found = mistakeIn(draft)
    setMistake(found)
    if (found !== null) return form.current?.querySelector<HTMLElement>(`[name="${found.field}"]`)?.focus()
    if (isSending) return
    setSending(true)
    setSaid(null)
    const outcome = await saveIncident(requests, page, incident, draft, serviceNowMs())
    setSending(false)
    void client.invalidateQueries({
      predicate: ({ queryKey }) => /^(v2|status-page)/.test(String(queryKey[0])),
    })
    if (!outcome.isSaved) return setSaid(outcome.sentence)
    announcement.set(outcome.sentence)
    onClose()
  }
  const fieldOf = (field: 'title' | 'text') => ({
    name: field,
    value: draft[field],
    onChange({ target }: { readonly target: { readonly value: string } }) {
      setMistake(null)
      setDraft({ ...draft, [field]: target.value })
    },
    ...(mistake?.field === field && { 'aria-invalid': true, 'aria-describedby': problem }),
  })
  return (
    <Dialog
      isWide
      title={
        <>
          {incident === null ? 'Write on ' : 'Write an update on '}
          <bdi>{page.spec.title}</bdi>
        </>
      }
      onClose={onClose}
    >
      <form ref={form} className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
        <TextField label="Title" maxLength={256} {...fieldOf('title')} />
        <SelectField
          label="How far it has come"
          value={draft.phase}
          onChange={({ target }) => setDraft({ ...draft, phase: target.value as v2.IncidentPhase })}
        >
          {v2.incidentPhases.map((phase) => (
            <option key={phase} value={phase}>
              {phaseWords[phase]}
            </option>
          ))}
        </SelectField>
        <TextAreaField label="Text (Markdown)" rows={5} {...fieldOf('text')} />
        <p id={problem} role="alert" className={styles.problem}>
          {mistake?.sentence}
        </p>
        {draft.text.trim() !== '' && (
          <section aria-label="What customers will read" className={styles.preview}>
            <Prose source={draft.text} />
          </section>
        )}
        <Components page={page} draft={draft} onChange={setDraft} />
        <p role="status" className={styles.said}>
          {said}
        </p>
        <DialogButtons>
          <Button type="submit" weight="strong" aria-disabled={isSending}>
            {isSending ? 'Publishing…' : 'Publish'}
          </Button>
          <Button onClick={onClose}>Close</Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}

function Components(props: {
  readonly page: v2.StatusPage
  readonly draft: Draft
  readonly onChange: (draft: Draft) => void
}) {
  const { page, draft, onChange } = props
  const components = page.spec.groups.flatMap((group) => group.components)
  const choose = (id: string, state: string) => {
    const { [id]: _, ...others } = draft.states
    onChange({ ...draft, states: state === '' ? others : { ...others, [id]: state as v2.WrittenState } })
  }
  return (
    <fieldset className={styles.components}>
      <legend>What the page says of its components until this is resolved</legend>
      {components.map(({ id, name }) => (
        <SelectField
          key={id}
          label={name}
          value={draft.states[id] ?? ''}
          onChange={({ target }) => choose(id, target.value)}
        >
          <option value="">as its monitors say</option>
          {v2.writtenStates.map((state) => (
            <option key={state} value={state}>
              {stateWords[state]}
            </option>
          ))}
        </SelectField>
      ))}
    </fieldset>
  )
}
