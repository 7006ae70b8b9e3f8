// views/manage/form/new-credential.tsx: makes a credential without leaving the form that needs it, and fills in its
// reference. Its value is sent to the service once and is kept nowhere in the page.
import type { v2 } from '@pulseward/contract'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { createPortal } from 'react-dom'
import { Button } from '../../../components/button.tsx'
import { Dialog, DialogButtons } from '../../../components/dialog.tsx'
import { useV2, type V2Requests } from '../../../data/v2-request.ts'
import { wordsOf } from '../kinds.ts'
import styles from '../manage.module.css'
import { idOf } from '../resource-document.ts'
import { useForm } from './form-state.ts'

/** Offered beside a field that takes the id of a credential. */
export function NewCredential({
  label,
  onMade,
}: {
  readonly label: string
  readonly onMade: (id: string) => void
}) {
  const requests = useV2()
  const { document: draft } = useForm()
  const [isOpen, setOpen] = useState(false)
  if (requests === null) return null
  return (
    <>
      <Button onClick={() => setOpen(true)} aria-label={`New credential for ${label}`}>
        New
      </Button>
      {isOpen &&
        // Outside of the form that it stands in: a form cannot hold another one.
        createPortal(
          <CredentialDialog
            requests={requests}
            suggestion={
              idOf(draft) === '' ? '' : `${idOf(draft)}-${label.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`
            }
            onMade={onMade}
            onClose={() => setOpen(false)}
          />,
          document.body,
        )}
    </>
  )
}

interface CredentialDialogProps {
  readonly requests: V2Requests
  /** An id to begin with. */
  readonly suggestion: string
  readonly onMade: (id: string) => void
  readonly onClose: () => void
}

function CredentialDialog({ requests, suggestion, onMade, onClose }: CredentialDialogProps) {
  const client = useQueryClient()
  const field = useId()
  const [id, setId] = useState(suggestion)
  const [value, setValue] = useState('')
  const [isSent, setSent] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    // React lets it bubble to the form that opened the dialog, which would be saved.
    event.stopPropagation()
    if (isSent) return
    if (id.trim() === '' || value === '') return setProblem('Give it an ID and a value.')
    setSent(true)
    const made = await create(requests, id.trim(), value)
    setSent(false)
    void client.invalidateQueries({ queryKey: ['v2'] })
    if (made !== null) return setProblem(made)
    onMade(id.trim())
    onClose()
  }
  return (
    <Dialog title="New credential" onClose={onClose}>
      <form className={styles.dialogForm} onSubmit={submit} noValidate>
        <p>Its value is stored encrypted and never shown again. Other resources can use it by its ID.</p>
        <label htmlFor={`${field}-id`}>ID</label>
        <input
          id={`${field}-id`}
          className={styles.input}
          type="text"
          autoComplete="off"
          spellCheck={false}
          aria-describedby={`${field}-problem`}
          value={id}
          onChange={({ target }) => setId(target.value)}
        />
        <label htmlFor={`${field}-value`}>Value</label>
        <input
          id={`${field}-value`}
          className={styles.input}
          type="password"
          autoComplete="new-password"
          aria-describedby={`${field}-problem`}
          value={value}
          onChange={({ target }) => setValue(target.value)}
        />
        <p id={`${field}-problem`} role="alert" className={styles.problem}>
          {problem}
        </p>
        <DialogButtons>
          <Button type="submit" weight="strong" aria-disabled={isSent}>
            Create the credential
          </Button>
          <Button weight="quiet" onClick={onClose}>
            Close
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}

/** Why it was not created; null if it was. */
async function create(requests: V2Requests, id: string, value: string): Promise<string | null> {
  const body = { apiVersion: 'pulseward/v2', kind: 'Credential', metadata: { id }, spec: { value } }
  const outcome = await requests.write<v2.Credential>({
    method: 'POST',
    path: wordsOf('Credential').path,
    body,
    isCreate: true,
  })
  if (outcome.kind === 'done') return null
  if (outcome.kind === 'unknown')
    return 'The answer was lost, so it is unknown whether it was created. Look at the list of credentials.'
  return outcome.status === 412 ? 'There is a credential with this ID; choose another one.' : outcome.sentence
}
