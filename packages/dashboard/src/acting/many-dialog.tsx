// acting/many-dialog.tsx: one request about many monitors: their number is counted and frozen before the user
// confirms, then the operation runs with its progress shown, and the outcome of each is reported.
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Button } from '../components/button.tsx'
import { Dialog, DialogButtons } from '../components/dialog.tsx'
import { serviceNowMs } from '../data/service-clock.ts'
import type { V2Requests } from '../data/v2-request.ts'
import { formatCount, plural } from '../format/count.ts'
import styles from './act.module.css'
import { ActFields } from './act-fields.tsx'
import type { AskedOfMany } from './ask.ts'
import { mostOfMany } from './choose-many.ts'
import { CloseButton } from './close-button.tsx'
import { type Mistake, mistakeIn, nothingSaid, type Said } from './control-request.ts'
import { ManyOutcomes } from './many-outcomes.tsx'
import { ConfirmStep, NoneLeftStep, ProgressStep, Step } from './many-steps.tsx'
import { useMany } from './use-many.ts'
import { verbWords } from './verb-words.ts'
import { verbs } from './verbs.ts'

interface ManyDialogProps {
  readonly asked: AskedOfMany
  readonly requests: V2Requests
  readonly onClose: () => void
}

export default function ManyDialog({ asked, requests, onClose }: ManyDialogProps) {
  const { verb } = asked
  const { names, stage, open, activate, cancel } = useMany(asked, requests)
  const close = () => {
    // The dialog is closed: it can no longer be confirmed.
    if (stage.kind === 'confirming') void cancel(stage.operation)
    onClose()
  }
  return (
    <Dialog title={`${verbs[verb].words} many monitors`} onClose={close}>
      {stage.kind === 'collecting' && (
        <Step words={`Collecting the monitors: ${formatCount(stage.found)} so far.`} />
      )}
      {stage.kind === 'too-many' && (
        <Step words={`One operation takes at most ${formatCount(mostOfMany)} monitors. Choose fewer.`} />
      )}
      {stage.kind === 'failed' && <Step words={stage.sentence} />}
      {(stage.kind === 'asking' || stage.kind === 'opening') && (
        <ManyForm
          asked={asked}
          count={names.size}
          problem={stage.kind === 'asking' ? stage.problem : null}
          isOpening={stage.kind === 'opening'}
          onOpen={open}
        />
      )}
      {stage.kind === 'none-left' && <NoneLeftStep verb={verb} stage={stage} />}
      {stage.kind === 'confirming' && (
        <ConfirmStep verb={verb} chosen={names.size} stage={stage} onConfirm={activate} />
      )}
      {stage.kind === 'running' && <ProgressStep stage={stage} />}
      {stage.kind === 'ended' && (
        <ManyOutcomes operation={stage.operation} outcomes={stage.outcomes} names={names} />
      )}
    </Dialog>
  )
}

function ManyForm(props: {
  readonly asked: AskedOfMany
  readonly count: number
  readonly problem: string | null
  readonly isOpening: boolean
  readonly onOpen: (said: Said) => void
}) {
  const { verb } = props.asked
  const form = useRef<HTMLFormElement>(null)
  const [said, setSaid] = useState(nothingSaid)
  const [mistake, setMistake] = useState<Mistake | null>(null)
  useEffect(() => form.current?.querySelector<HTMLElement>('input, button')?.focus(), [])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (props.isOpening) return
    const found = mistakeIn({ verb }, said, serviceNowMs())
    setMistake(found)
    if (found === null) return props.onOpen(said)
    form.current?.querySelector<HTMLElement>(`[name="${found.field}"]`)?.focus()
  }
  return (
    <form ref={form} className={styles.content} onSubmit={submit} noValidate>
      <p>
        <strong>For each of {plural(props.count, 'monitor')}:</strong> {verbWords[verb].about}
      </p>
      <ActFields verb={verb} said={said} mistake={mistake} onSay={(part) => setSaid({ ...said, ...part })} />
      <p role="alert" className={styles.problem}>
        {props.problem}
      </p>
      <DialogButtons>
        <Button type="submit" weight="strong" aria-disabled={props.isOpening}>
          {props.isOpening ? 'Counting…' : 'Continue'}
        </Button>
        <CloseButton />
      </DialogButtons>
    </form>
  )
}
