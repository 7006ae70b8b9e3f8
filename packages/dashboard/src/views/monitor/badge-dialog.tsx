// views/monitor/badge-dialog.tsx: makes a badge of a monitor for another page. The key is made here: the service gets its digest
// alone, and the address is shown once.
import { v2 } from '@pulseward/contract'
import { type FormEvent, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Dialog, DialogButtons } from '../../components/dialog.tsx'
import { SelectField, TextField } from '../../components/field.tsx'
import { useMay } from '../../data/may.ts'
import { useV2, type V2Requests } from '../../data/v2-request.ts'
import styles from './monitor.module.css'

type Figure = v2.Badge['spec']['shows']

const figureWords: Readonly<Record<Figure, string>> = {
  status: 'status',
  'uptime-24h': 'uptime of 24 hours',
  'uptime-7d': 'uptime of 7 days',
  'uptime-30d': 'uptime of 30 days',
  'uptime-90d': 'uptime of 90 days',
  latency: 'latency',
}

export function MakeBadge({ monitorId }: { readonly monitorId: string }) {
  const mayMake = useMay('CreateBadge')
  const requests = useV2()
  const [isOpen, setOpen] = useState(false)
  if (!mayMake || requests === null) return null
  return (
    <div className={styles.note}>
      <Button onClick={() => setOpen(true)}>Make a badge</Button>
      {isOpen && <BadgeDialog monitorId={monitorId} requests={requests} onClose={() => setOpen(false)} />}
    </div>
  )
}

interface BadgeDialogProps {
  readonly monitorId: string
  readonly requests: V2Requests
  readonly onClose: () => void
}

function BadgeDialog({ monitorId, requests, onClose }: BadgeDialogProps) {
  const [shows, setShows] = useState<Figure>('status')
  const [made, setMade] = useState<Made | null>(null)
  const [isSending, setSending] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isSending) return
    setSending(true)
    setMade(await makeBadge(requests, monitorId, shows))
    setSending(false)
  }
  return (
    <Dialog title="Make a badge" onClose={onClose}>
      <form className={styles.form} onSubmit={(event) => void submit(event)}>
        <p>A small picture of one figure for another page. Its address shows the figure and nothing else.</p>
        <SelectField
          label="What it shows"
          value={shows}
          onChange={({ target }) => setShows(target.value as Figure)}
        >
          {v2.badgeFigures.map((figure) => (
            <option key={figure} value={figure}>
              {figureWords[figure]}
            </option>
          ))}
        </SelectField>
        {made?.address != null && <TextField label="Its address, shown once" readOnly value={made.address} />}
        <p role="status">{made?.sentence}</p>
        <DialogButtons>
          {made?.address == null && (
            <Button type="submit" weight="strong" aria-disabled={isSending}>
              {isSending ? 'Making…' : 'Make it'}
            </Button>
          )}
          <Button onClick={onClose}>Close</Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}

interface Made {
  /** Null if it was not made. */
  readonly address: string | null
  readonly sentence: string
}

const keyBytes = 18

async function makeBadge(requests: V2Requests, monitorRef: string, shows: Figure): Promise<Made> {
  const bytes = crypto.getRandomValues(new Uint8Array(keyBytes))
  const key = btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(key))
  const keyDigest = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  const id = `badge-${keyDigest.slice(0, 12)}`
  const spec = { monitorRef, shows, keyDigest }
  const body = { apiVersion: 'pulseward/v2', kind: 'Badge', metadata: { id }, spec }
  const outcome = await requests.write({ method: 'POST', path: '/api/v2/badges', body, isCreate: true })
  if (outcome.kind === 'refused') return { address: null, sentence: `Nothing was made. ${outcome.sentence}` }
  if (outcome.kind === 'unknown')
    return {
      address: null,
      sentence: 'The answer was lost, and with it the key of this badge. Make another one.',
    }
  const address = new URL(`/badge/${key}.svg`, window.location.href).href
  return { address, sentence: `It is the badge ${id}; to revoke it, delete it: pulseward delete badge ${id}` }
}
