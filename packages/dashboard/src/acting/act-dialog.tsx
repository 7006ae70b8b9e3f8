// acting/act-dialog.tsx: the dialog for every request about one monitor. It shows the subject as it was when the dialog
// opened, takes what the verb needs, sends once, and stays open until the person knows the outcome.
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from '../components/button.tsx'
import { Dialog, DialogButtons } from '../components/dialog.tsx'
import { Loading } from '../components/loading.tsx'
import { serviceNowMs } from '../data/service-clock.ts'
import type { V2Requests } from '../data/v2-request.ts'
import styles from './act.module.css'
import { ActFields } from './act-fields.tsx'
import type { Asked } from './ask.ts'
import { CloseButton } from './close-button.tsx'
import { type Mistake, mistakeIn, nothingSaid, requestOf, type Said } from './control-request.ts'
import { Meanwhile } from './meanwhile.tsx'
import { whyNot } from './standing.ts'
import type { Subject } from './subject.ts'
import { SubjectFacts } from './subject-facts.tsx'
import { type Stage, useActing } from './use-acting.ts'
import { verbWords } from './verb-words.ts'
import { verbs } from './verbs.ts'

interface ActDialogProps {
  readonly asked: Asked
  readonly requests: V2Requests
  readonly onClose: () => void
}

export default function ActDialog({ asked, requests, onClose }: ActDialogProps) {
  const { looked, stage, look, lookWhether, send } = useActing(asked, requests)
  const [said, setSaid] = useState(nothingSaid)
  const content = useRef<HTMLDivElement>(null)
  // Closing returns the focus; unmounting the dialog would not.
  useEffect(() => {
    if (stage.kind === 'done') content.current?.closest('dialog')?.close()
  }, [stage])
  const subject = looked.kind === 'read' ? looked.subject : null
  const title =
    subject === null ? (
      verbs[asked.verb].words
    ) : (
      <>
        {verbWords[asked.verb].title} <bdi>{subject.name}</bdi>
      </>
    )
  return (
    <Dialog title={title} onClose={onClose}>
      <div ref={content} className={styles.content}>
        {looked.kind === 'reading' && <Loading what="The monitor" />}
        {looked.kind === 'failed' && (
          <Outcome sentence="It cannot be read now, so no action is possible." onLook={look}>
            <p>{looked.sentence}</p>
          </Outcome>
        )}
        {subject !== null && stage.kind === 'conflict' && (
          <Outcome
            sentence="Somebody changed it in the meantime, so your request was not carried out."
            onLook={look}
          >
            <Meanwhile since={stage.since} />
          </Outcome>
        )}
        {subject !== null && stage.kind === 'unknown' && (
          <Outcome
            sentence={unknownSentence(stage.hasChanged)}
            onLook={() => lookWhether(subject)}
            onAskAnew={stage.hasChanged === null ? undefined : look}
          >
            <Meanwhile since={stage.since} />
          </Outcome>
        )}
        {subject !== null && (stage.kind === 'looking' || stage.kind === 'done') && (
          <Loading what="The outcome" />
        )}
        {subject !== null && isForm(stage) && (
          <ActForm
            asked={asked}
            subject={subject}
            said={said}
            stage={stage}
            onSay={(part) => setSaid({ ...said, ...part })}
            onSend={(revision) =>
              void send(requestOf(asked, subject, revision, said, serviceNowMs()), subject)
            }
          />
        )}
      </div>
    </Dialog>
  )
}

function isForm({ kind }: Stage): boolean {
  return kind === 'asking' || kind === 'sending' || kind === 'refused'
}

function unknownSentence(hasChanged: boolean | null): string {
  const lost = 'Unknown: the answer was lost.'
  if (hasChanged === null) return `${lost} It cannot be read now; look again in a moment.`
  return hasChanged
    ? `${lost} It has changed since you opened this.`
    : `${lost} It has not changed so far. Your request may still arrive, so look again before you repeat it.`
}

interface ActFormProps {
  readonly asked: Asked
  readonly subject: Subject
  readonly said: Said
  readonly stage: Stage
  readonly onSay: (part: Partial<Said>) => void
  readonly onSend: (revision: string) => void
}

function ActForm({ asked, subject, said, stage, onSay, onSend }: ActFormProps) {
  const form = useRef<HTMLFormElement>(null)
  const [mistake, setMistake] = useState<Mistake | null>(null)
  const { about, button } = verbWords[asked.verb]
  const refusal = whyNot(asked.verb, subject)
  const { revision } = subject
  const canBeAsked = refusal === null && revision !== null
  // The browser focused the dialog while it was still empty.
  useEffect(() => form.current?.querySelector<HTMLElement>('input, textarea, button')?.focus(), [])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (revision === null || stage.kind === 'sending') return
    const found = mistakeIn(asked, said, serviceNowMs())
    setMistake(found)
    if (found === null) return onSend(revision)
    form.current?.querySelector<HTMLElement>(`[name="${found.field}"]`)?.focus()
  }
  return (
    <form ref={form} className={styles.content} onSubmit={submit} noValidate>
      {refusal === null ? <p>{about}</p> : <p className={styles.refusal}>{refusal}</p>}
      <SubjectFacts verb={asked.verb} subject={subject} />
      {canBeAsked && (
        <ActFields
          verb={asked.verb}
          recovery={subject.monitor.spec.recovery?.driver.type}
          said={said}
          mistake={mistake}
          onSay={onSay}
        />
      )}
      <p role="alert" className={styles.problem}>
        {stage.kind === 'refused' && `Nothing was done. ${stage.sentence}`}
      </p>
      <DialogButtons>
        {canBeAsked && (
          <Button type="submit" weight="strong" aria-disabled={stage.kind === 'sending'}>
            {stage.kind === 'sending' ? 'Sending…' : button}
          </Button>
        )}
        <CloseButton isAlone={!canBeAsked} />
      </DialogButtons>
    </form>
  )
}

/** The outcome, unless it is simply done, and what to do next. Takes the focus, since the form that had it is gone. */
function Outcome(props: {
  readonly sentence: string
  readonly onLook: () => void
  readonly onAskAnew?: (() => void) | undefined
  readonly children: ReactNode
}) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <div className={styles.content}>
      <h3 ref={heading} tabIndex={-1} className={styles.outcome}>
        {props.sentence}
      </h3>
      {props.children}
      <DialogButtons>
        <Button weight="strong" onClick={() => props.onLook()}>
          Look again
        </Button>
        {props.onAskAnew !== undefined && <Button onClick={() => props.onAskAnew?.()}>Start over</Button>}
        <CloseButton />
      </DialogButtons>
    </div>
  )
}
