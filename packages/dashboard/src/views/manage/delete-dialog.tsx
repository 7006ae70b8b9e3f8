// views/manage/delete-dialog.tsx: asks for the name before deleting, so that the wrong resource is not deleted.
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Dialog, DialogButtons } from '../../components/dialog.tsx'
import type { V2Requests } from '../../data/v2-request.ts'
import type { VersionedResource } from '../../data/v2-resource.ts'
import { type KindWords, resourcePath } from './kinds.ts'
import styles from './manage.module.css'
import { nameOf, writablePartOf } from './resource-document.ts'

export interface DeleteDialogProps {
  readonly words: KindWords
  readonly shown: VersionedResource
  readonly requests: V2Requests
  readonly onClose: () => void
  readonly onDeleted: () => void
  /** The resource has changed since this page read it. */
  readonly onConflict: () => void
}

export function DeleteDialog(props: DeleteDialogProps) {
  const { words, shown, requests, onClose, onDeleted, onConflict } = props
  const name = nameOf(writablePartOf(shown))
  const field = useId()
  const client = useQueryClient()
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const isNamed = typed.trim() === name.trim()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!isNamed) return setProblem('This is not its name.')
    const outcome = await requests.write({
      method: 'DELETE',
      path: resourcePath(words, shown.resource.metadata.id),
      ifMatch: shown.version,
    })
    void client.invalidateQueries()
    if (outcome.kind === 'done') return onDeleted()
    if (outcome.kind === 'unknown')
      return setProblem('The answer was lost, so it is unknown whether it was deleted. Look at the list.')
    if (outcome.status === 412) return onConflict()
    setProblem(outcome.sentence)
  }
  return (
    <Dialog title={`Delete the ${words.one} ${name}?`} onClose={onClose}>
      <form className={styles.dialogForm} onSubmit={submit}>
        <p>{words.whenDeleted} This cannot be undone.</p>
        <label htmlFor={field}>
          To delete it, type its name: <strong className={styles.exact}>{name}</strong>
        </label>
        <input
          id={field}
          className={styles.input}
          type="text"
          autoComplete="off"
          spellCheck={false}
          aria-describedby={`${field}-problem`}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
        <p id={`${field}-problem`} role="alert" className={styles.problem}>
          {problem}
        </p>
        <DialogButtons>
          <Button type="submit" weight="strong" aria-disabled={!isNamed}>
            Delete
          </Button>
          <Button weight="quiet" onClick={onClose}>
            Keep it
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}
