// acting/many-dialog.tsx: one thing asked of many monitors: how many they are is counted and frozen before a person confirms
// it, then it is carried out with its progress, and what became of each is told.
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
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
import type { LeftOut } from './many-operation.ts'
import { ManyOutcomes } from './many-outcomes.tsx'
import { useMany } from './use-many.ts'
import { verbWords } from './verb-words.ts'
import { isOfIncident, verbs } from './verbs.ts'

interface ManyDialogProps {
  readonly asked: AskedOfMany
  readonly requests: V2Requests
  readonly onClose: () => void
}

export default function ManyDialog({ asked, requests, onClose }: ManyDialogProps) {
  const { verb } = asked
  const { names, stage, open, activate, cancel } = useMany(asked, requests)
  const close = () => {
    // Nobody will confirm it any more.
    if (stage.kind === 'confirming') void cancel(stage.operation)
    onClose()
  }
  return (
    <Dialog title={`${verbs[verb].words} many monitors`} onClose={close}>
      {stage.kind === 'collecting' && (
        <Step words={`The monitors are being collected: ${formatCount(stage.found)} so far.`} />
      )}
      {stage.kind === 'too-many' && (
        <Step
          words={`These are more than ${formatCount(mostOfMany)} monitors, the most of one operation. Choose fewer.`}
        />
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
      {stage.kind === 'nobody' && (
        <Step
          words={
            isOfIncident(verb) ? 'None of them has an open incident.' : 'There is none left to ask this of.'
          }
        >
          <LeftOutWords verb={verb} leftOut={stage.leftOut} />
        </Step>
      )}
      {stage.kind === 'confirming' && (
        <Step
          words={[stage.problem ?? [], countWords(asked, stage.operation.itemCount ?? 0, names.size)]
            .flat()
            .join(' ')}
          button={
            <Button weight="strong" onClick={() => void activate(stage.operation)}>
              {verbs[verb].words} {formatCount(stage.operation.itemCount ?? 0)}
            </Button>
          }
        >
          <LeftOutWords verb={verb} leftOut={stage.leftOut} />
          <p className={styles.note}>
            They are counted as they are now. What somebody else changes before its turn is left alone, and
            told.
          </p>
        </Step>
      )}
      {stage.kind === 'running' && (
        <Step words={progressWords(stage.operation.committed ?? 0, stage.operation.itemCount ?? 0)}>
          <progress
            className={styles.progress}
            aria-label="Progress"
            value={stage.operation.committed ?? 0}
            max={Math.max(1, stage.operation.itemCount ?? 1)}
          />
          <p className={styles.note}>
            {stage.trouble ?? 'The service goes on with it also when this is closed.'}
          </p>
        </Step>
      )}
      {stage.kind === 'ended' && (
        <ManyOutcomes operation={stage.operation} outcomes={stage.outcomes} names={names} />
      )}
    </Dialog>
  )
}

function countWords({ verb }: AskedOfMany, count: number, chosen: number): string {
  const have = count === 1 ? 'has' : 'have'
  if (isOfIncident(verb))
    return `Of ${plural(chosen, 'monitor')}, ${formatCount(count)} ${have} an open incident.`
  return `${plural(count, 'monitor is', 'monitors are')} meant.`
}

function progressWords(done: number, count: number): string {
  return `${formatCount(done)} of ${formatCount(count)} are done.`
}

/** A step without fields: takes the focus, so that it is heard. */
function Step(props: { readonly words: string; readonly button?: ReactNode; readonly children?: ReactNode }) {
  const sentence = useRef<HTMLParagraphElement>(null)
  useEffect(() => sentence.current?.focus(), [])
  return (
    <div className={styles.content}>
      <p ref={sentence} tabIndex={-1} className={styles.step} role="status">
        {props.words}
      </p>
      {props.children}
      <DialogButtons>
        {props.button}
        <CloseButton isAlone={props.button === undefined} />
      </DialogButtons>
    </div>
  )
}

function LeftOutWords(props: { readonly verb: AskedOfMany['verb']; readonly leftOut: readonly LeftOut[] }) {
  const ofFiles = props.leftOut.filter(({ why }) => why === 'file').length
  const gone = props.leftOut.length - ofFiles
  return (
    <>
      {ofFiles > 0 && (
        <p className={styles.refusal}>
          {plural(ofFiles, 'monitor is', 'monitors are')} left out: what comes from a fleet file can be{' '}
          {props.verb}d only in that file.
        </p>
      )}
      {gone > 0 && (
        <p className={styles.refusal}>
          {plural(gone, 'monitor is', 'monitors are')} left out: deleted meanwhile.
        </p>
      )}
    </>
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
          {props.isOpening ? 'Counting…' : 'Count them first'}
        </Button>
        <CloseButton />
      </DialogButtons>
    </form>
  )
}
