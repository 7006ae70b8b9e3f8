// views/manage/cancel-dialog.tsx: asks before an operation is cancelled, and says what stays. It is sent
// once; if its answer is lost, the list shows the outcome.
import type { v2 } from '@pulseward/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { operationPath } from '../../acting/many-operation.ts'
import { Button } from '../../components/button.tsx'
import { Dialog, DialogButtons } from '../../components/dialog.tsx'
import type { V2Requests } from '../../data/v2-request.ts'
import styles from './manage.module.css'
import { progressOf, purposeOf } from './operation-words.ts'

export interface CancelDialogProps {
  /** As it was when the user asked. */
  readonly operation: v2.Operation
  readonly requests: V2Requests
  readonly onClose: () => void
}

export function CancelDialog({ operation, requests, onClose }: CancelDialogProps) {
  const client = useQueryClient()
  const [isSent, setSent] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const cancel = async () => {
    if (isSent) return
    setSent(true)
    const outcome = await requests.write<v2.Operation>({
      method: 'POST',
      path: `${operationPath(operation)}/cancel`,
    })
    void client.invalidateQueries({ queryKey: ['v2'] })
    if (outcome.kind === 'done') return onClose()
    setProblem(
      outcome.kind === 'refused'
        ? outcome.sentence
        : 'The answer was lost, so it is unknown whether it was cancelled. Look at the list.',
    )
  }
  const consequence =
    operation.state === 'applying'
      ? `${progressOf(operation)}. Applied items stay; the rest is not attempted.`
      : 'Nothing was applied, and nothing will be.'
  return (
    <Dialog title="Cancel this operation?" onClose={onClose}>
      <p className={styles.exact}>
        {purposeOf(operation)}, started by <strong>{operation.actor}</strong>. {consequence}
      </p>
      <p role="alert" className={styles.problem}>
        {problem}
      </p>
      <DialogButtons>
        <Button weight="strong" aria-disabled={isSent} onClick={() => void cancel()}>
          Cancel the operation
        </Button>
        <Button weight="quiet" onClick={onClose}>
          {problem === null ? 'Keep it' : 'Close'}
        </Button>
      </DialogButtons>
    </Dialog>
  )
}
