// acting/many-steps.tsx: the steps of an operation over many monitors that have no input: a sentence, its
// subject, and what to do next.
import type { v2 } from '@pulseward/contract'
import { type ReactNode, useEffect, useRef } from 'react'
import { Button } from '../components/button.tsx'
import { DialogButtons } from '../components/dialog.tsx'
import { formatCount, plural } from '../format/count.ts'
import styles from './act.module.css'
import type { AskedOfMany } from './ask.ts'
import { CloseButton } from './close-button.tsx'
import type { LeftOut } from './many-operation.ts'
import type { ManyStage } from './use-many.ts'
import { isOfIncident, verbs } from './verbs.ts'

type VerbOfMany = AskedOfMany['verb']
type StageOf<Kind extends ManyStage['kind']> = Extract<ManyStage, { readonly kind: Kind }>

/** A step without fields. It takes the focus, so that screen readers announce it. */
export function Step(props: {
  readonly words: string
  readonly button?: ReactNode
  readonly children?: ReactNode
}) {
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

export function NoneLeftStep(props: { readonly verb: VerbOfMany; readonly stage: StageOf<'none-left'> }) {
  const { verb, stage } = props
  return (
    <Step words={isOfIncident(verb) ? 'None of them has an open incident.' : 'No monitor is left to change.'}>
      <LeftOutWords verb={verb} leftOut={stage.leftOut} />
    </Step>
  )
}

export function ConfirmStep(props: {
  readonly verb: VerbOfMany
  /** How many were selected; the operation may apply to fewer. */
  readonly chosen: number
  readonly stage: StageOf<'confirming'>
  readonly onConfirm: (operation: v2.Operation) => void
}) {
  const { verb, chosen, stage, onConfirm } = props
  const count = stage.operation.itemCount ?? 0
  const counted = countWords(verb, count, chosen)
  return (
    <Step
      words={stage.problem === null ? counted : `${stage.problem} ${counted}`}
      button={
        <Button weight="strong" onClick={() => onConfirm(stage.operation)}>
          {verbs[verb].words} {formatCount(count)}
        </Button>
      }
    >
      <LeftOutWords verb={verb} leftOut={stage.leftOut} />
      <p className={styles.note}>A monitor that somebody else changes first is skipped and listed.</p>
    </Step>
  )
}

export function ProgressStep({ stage }: { readonly stage: StageOf<'running'> }) {
  const { committed = 0, itemCount = 0 } = stage.operation
  return (
    <Step words={`${formatCount(committed)} of ${formatCount(itemCount)} are done.`}>
      <progress
        className={styles.progress}
        aria-label="Progress"
        value={committed}
        max={Math.max(1, itemCount)}
      />
      <p className={styles.note}>{stage.trouble ?? 'The service continues even if you close this.'}</p>
    </Step>
  )
}

function countWords(verb: VerbOfMany, count: number, chosen: number): string {
  const have = count === 1 ? 'has' : 'have'
  if (isOfIncident(verb))
    return `Of ${plural(chosen, 'monitor')}, ${formatCount(count)} ${have} an open incident.`
  return `This applies to ${plural(count, 'monitor')}.`
}

function LeftOutWords(props: { readonly verb: VerbOfMany; readonly leftOut: readonly LeftOut[] }) {
  const ofFiles = props.leftOut.filter(({ why }) => why === 'file').length
  const gone = props.leftOut.length - ofFiles
  return (
    <>
      {ofFiles > 0 && (
        <p className={styles.refusal}>
          {plural(ofFiles, 'monitor is', 'monitors are')} left out: monitors of a fleet file can be{' '}
          {props.verb}d only in that file.
        </p>
      )}
      {gone > 0 && (
        <p className={styles.refusal}>
          {plural(gone, 'monitor is', 'monitors are')} left out: deleted in the meantime.
        </p>
      )}
    </>
  )
}
