// views/incident/note-form.tsx: adds a note to the record of an incident. It is sent once: if the answer is lost, the person
// reads above whether the note is there before sending it again.
import { v2 } from '@pulseward/contract'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Panel } from '../../components/panel.tsx'
import { useMay } from '../../data/may.ts'
import { useV2, type V2Requests, type WriteOutcome } from '../../data/v2-request.ts'
import styles from './incident.module.css'

/** What was typed is kept while people look elsewhere on the page. */
const drafts = new Map<string, string>()

/** Left out for users who may not add notes, and in editions without v2. */
export function NoteForm({ incidentId }: { readonly incidentId: string }) {
  const requests = useV2()
  const mayAdd = useMay('AddIncidentNote')
  if (requests === null || !mayAdd) return null
  return <Form incidentId={incidentId} requests={requests} />
}

function Form({ incidentId, requests }: { readonly incidentId: string; readonly requests: V2Requests }) {
  const id = useId()
  const client = useQueryClient()
  const [text, setText] = useState(drafts.get(incidentId) ?? '')
  const [said, setSaid] = useState<string | null>(null)
  const [isSending, setSending] = useState(false)
  const write = (next: string) => {
    drafts.set(incidentId, next)
    setText(next)
  }

  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (isSending) return
    const mistake = mistakeIn(text)
    if (mistake !== null) return setSaid(mistake)
    setSending(true)
    setSaid(null)
    const path = `/api/v2/incidents/${encodeURIComponent(incidentId)}/notes`
    const outcome = await requests.write<v2.Incident>({ method: 'POST', path, body: { text } })
    setSending(false)
    void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === 'history' })
    if (outcome.kind === 'done') write('')
    setSaid(sentenceFor(outcome))
  }
  return (
    <Panel title="Add a note" className={styles.form}>
      <form onSubmit={(event) => void send(event)}>
        <label htmlFor={id} className={styles.label}>
          What should others know about this incident?
        </label>
        <textarea
          id={id}
          className={styles.field}
          rows={3}
          value={text}
          aria-describedby={`${id}-said`}
          onChange={(event) => write(event.target.value)}
        />
        <div className={styles.send}>
          <Button type="submit" weight="strong" disabled={isSending}>
            Add the note
          </Button>
          <span id={`${id}-said`} role="status">
            {said}
          </span>
        </div>
      </form>
    </Panel>
  )
}

function mistakeIn(text: string): string | null {
  if (text.trim() === '') return 'Write something first.'
  const bytes = new TextEncoder().encode(text).length
  const most = v2.limits.controlTextBytes
  return bytes > most
    ? `This is too long: ${bytes.toLocaleString('en')} bytes of at most ${most.toLocaleString('en')}.`
    : null
}

function sentenceFor(outcome: WriteOutcome<unknown>): string {
  if (outcome.kind === 'done') return 'The note was added.'
  if (outcome.kind === 'refused') return `The note was not added. ${outcome.sentence}`
  return 'The answer was lost. Look above whether the note is there before you add it again.'
}
