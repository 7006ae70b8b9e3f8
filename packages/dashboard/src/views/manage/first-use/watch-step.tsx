// views/manage/first-use/watch-step.tsx: an address and one click create the first monitor.
import type { v2 } from '@pulseward/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { useV2 } from '../../../data/v2-request.ts'
import { formatCount } from '../../../format/count.ts'
import { AddressField } from './address-field.tsx'
import { create, whyNot } from './create.ts'
import { addressOf, firstMonitor } from './first-monitor.ts'
import styles from './first-use.module.css'
import { noteProgress } from './progress.ts'

export const notAnAddress = 'Enter an address such as https://example.com/.'

export interface WatchStepProps {
  /** How many monitors there are. */
  readonly total: number
  /** What was made here, by name. */
  readonly watched: string | null
}

export function WatchStep({ total, watched }: WatchStepProps) {
  const client = useQueryClient()
  const requests = useV2()
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  if (total > 0 && watched === null)
    return <p>{total === 1 ? 'One monitor is' : `${formatCount(total)} monitors are`} there already.</p>
  if (total > 0)
    return (
      <p role="status">
        <strong className={styles.name}>{watched}</strong> is watched. Its first check is due within a minute.
      </p>
    )
  const submit = async () => {
    const address = addressOf(typed)
    if (address === null || requests === null) return setProblem(notAnAddress)
    setProblem(null)
    const outcome = await create<v2.Monitor>(requests, 'monitors', firstMonitor(address))
    const refused = whyNot(outcome, 'There is a monitor for this host already.')
    setProblem(refused)
    if (refused === null) noteProgress({ watched: address.host })
    void client.invalidateQueries()
  }
  return (
    <>
      <AddressField
        label="The address of a website or an API"
        example="https://example.com/"
        typed={typed}
        onType={setTyped}
        problem={problem}
        hint="It is checked once a minute, with a timeout of ten seconds. Three failures in a row open an incident: one alone may be chance. You can change all of this later."
        submit="Watch it"
        onSubmit={() => void submit()}
      />
      <p className={styles.lead}>
        Is it something else, such as a database or a port?{' '}
        <Link className={styles.link} href="/manage/new/monitors" onClick={() => noteProgress({})}>
          Choose another kind of check
        </Link>
      </p>
    </>
  )
}
