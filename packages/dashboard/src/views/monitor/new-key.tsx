// views/monitor/new-key.tsx: a button that replaces the key of a job, for users who may. The key is shown once, in the dialog.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Dialog, DialogButtons } from '../../components/dialog.tsx'
import { ReadFailure } from '../../data/failure.ts'
import { useMay } from '../../data/may.ts'
import { bodyOf } from '../../data/reading.ts'
import { useV2Monitor } from '../../data/v2-reading.ts'
import { useV2, type V2Requests } from '../../data/v2-request.ts'
import { Copied } from './copied.tsx'
import { keyPlace, pushAddress } from './push-examples.ts'
import { keysOf, type ReplacedKey, replaceKey } from './replace-key.ts'

export function NewKey({ monitorId }: { readonly monitorId: string }) {
  const requests = useV2()
  const mayReplace = useMay('CreatePushKey')
  const monitor = bodyOf(useV2Monitor(mayReplace ? monitorId : null))
  const [isAsked, setAsked] = useState(false)
  // The key of a monitor of a fleet file is replaced there.
  if (requests === null || monitor === null || monitor.metadata.managedBy === 'file') return null
  return (
    <>
      <p>
        <Button onClick={() => setAsked(true)}>Replace the key…</Button>
      </p>
      {isAsked && (
        <NewKeyDialog
          {...{ requests, monitorId, previous: keysOf(monitor).previous }}
          onClose={() => setAsked(false)}
        />
      )}
    </>
  )
}

interface NewKeyDialogProps {
  readonly requests: V2Requests
  readonly monitorId: string
  readonly previous: string | null
  readonly onClose: () => void
}

function NewKeyDialog({ requests, monitorId, previous, onClose }: NewKeyDialogProps) {
  const client = useQueryClient()
  const [outcome, setOutcome] = useState<ReplacedKey | null>(null)
  const [isSending, setSending] = useState(false)
  const [dropped] = useState(previous)
  const replace = async () => {
    if (isSending) return
    setSending(true)
    try {
      setOutcome(await replaceKey(requests, monitorId))
    } catch (error) {
      if (!(error instanceof ReadFailure)) throw error
      setOutcome({ kind: 'not-replaced', sentence: `The key was not replaced. ${error.message}` })
    }
    setSending(false)
    void client.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).startsWith('v2') })
  }
  if (outcome?.kind === 'replaced')
    return (
      <Dialog title="The new key" onClose={onClose}>
        <p>
          The job calls this address from now on. <strong>It is shown only here.</strong> Jobs that still use
          the previous key are heard, too; remove <code>previous_key</code> when none does.
        </p>
        <Copied text={pushAddress(location.origin).replace(keyPlace, outcome.key)} what="the address" />
        <DialogButtons>
          <Button weight="strong" onClick={onClose}>
            Close
          </Button>
        </DialogButtons>
      </Dialog>
    )
  return (
    <Dialog title="Replace the key of this job?" onClose={onClose}>
      <p>The service makes a key and shows it once. The present one works beside it, until you remove it.</p>
      {dropped !== null && (
        <p>
          The key before the present one (<code>{dropped}</code>) stops working.
        </p>
      )}
      <p role="status">{outcome?.sentence}</p>
      <DialogButtons>
        <Button weight="strong" aria-disabled={isSending} onClick={() => void replace()}>
          {isSending ? 'Replacing…' : 'Replace the key'}
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </DialogButtons>
    </Dialog>
  )
}
