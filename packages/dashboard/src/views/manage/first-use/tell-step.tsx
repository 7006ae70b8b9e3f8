// views/manage/first-use/tell-step.tsx: an address and one click create a destination, and a route that sends it everything.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { Button } from '../../../components/button.tsx'
import { SelectField } from '../../../components/field.tsx'
import { useV2 } from '../../../data/v2-request.ts'
import { AddressField } from './address-field.tsx'
import { createDestination } from './create.ts'
import { destinationKinds, firstDestination, kindOf } from './first-destination.ts'
import { addressOf } from './first-monitor.ts'
import styles from './first-use.module.css'
import { noteProgress } from './progress.ts'

export function TellStep({ told }: { readonly told: string | null }) {
  const client = useQueryClient()
  const requests = useV2()
  const [typed, setTyped] = useState('')
  /** Null: as the address looks. */
  const [chosen, setChosen] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  if (told !== null) return <Told destination={told} />
  const address = addressOf(typed)
  const kind = chosen ?? (address === null ? 'webhook' : kindOf(address))
  const submit = async () => {
    if (address === null || requests === null)
      return setProblem('Enter the whole address, such as https://hooks.slack.com/services/….')
    setProblem(null)
    const destination = firstDestination(kind, address)
    const refused = await createDestination(requests, destination)
    setProblem(refused)
    if (refused === null) noteProgress({ told: destination.id })
    void client.invalidateQueries()
  }
  return (
    <>
      <AddressField
        label="The address of a webhook, or of an ntfy topic"
        example="https://hooks.slack.com/services/…"
        typed={typed}
        onType={setTyped}
        problem={problem}
        hint="It gets a message when any monitor fails, and when it has recovered. The address of a chat is kept as a secret."
        submit="Tell it"
        onSubmit={() => void submit()}
      >
        <SelectField
          label="What it is"
          hideLabel
          value={kind}
          onChange={({ target }) => setChosen(target.value)}
        >
          {destinationKinds.map(({ type, name }) => (
            <option key={type} value={type}>
              {name}
            </option>
          ))}
        </SelectField>
      </AddressField>
      <p className={`${styles.row} ${styles.lead}`}>
        Is it something else, such as mail or a pager?{' '}
        <Link className={styles.link} href="/manage/new/endpoints" onClick={() => noteProgress({ told: '' })}>
          Choose who is notified when it fails
        </Link>
        <Button weight="quiet" onClick={() => noteProgress({ told: '' })}>
          Do this later
        </Button>
      </p>
    </>
  )
}

function Told({ destination }: { readonly destination: string }) {
  if (destination === '')
    return <p>Later. Until then nobody is told: look at Manage, Endpoints and Routes.</p>
  return (
    <p role="status">
      <strong className={styles.name}>{destination}</strong> is told when a monitor fails, and when it has
      recovered.
    </p>
  )
}
