// shell/sign-in.tsx: the form for a token: alone on the page if nothing can be read without it, otherwise in a dialog.
import { sessionPath } from '@pulseward/contract'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { Button } from '../components/button.tsx'
import { DialogButtons } from '../components/dialog.tsx'
import { PageTitle } from '../components/page-title.tsx'
import { bodyOf } from '../data/reading.ts'
import { signIn } from '../data/session.ts'
import { useSignInHelp } from '../data/sign-in-help.ts'
import { forgetLinkRefusal, useLinkRefusal } from '../data/sign-in-link.ts'
import { Mark } from './icons.tsx'
import shell from './shell.module.css'
import styles from './sign-in.module.css'

export function SignInPage({ hasEnded }: { readonly hasEnded: boolean }) {
  return (
    <main className={shell.alone}>
      <p className={styles.brand}>
        <Mark />
        Pulseward
      </p>
      <PageTitle tab="Sign in" note="You need a token to see the fleet.">
        Sign in
      </PageTitle>
      <p role="status" className={styles.ended}>
        {hasEnded && 'Your session has ended. Sign in again to continue where you were.'}
      </p>
      <SignInForm />
      <p className={styles.hint}>
        With the token of the service itself{' '}
        <a className={shell.link} href={`${sessionPath}?${new URLSearchParams({ to: here() })}`}>
          log in as svc
        </a>
        , which is for reading only.
      </p>
    </main>
  )
}

export interface SignInFormProps {
  readonly onDone?: () => void
  /** If signing in is optional. */
  readonly onLeave?: () => void
}

export function SignInForm({ onDone, onLeave }: SignInFormProps) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [refusal, setRefusal] = useState<{ readonly sentence: string } | null>(null)
  const [isSending, setIsSending] = useState(false)
  const linkRefusal = useLinkRefusal()
  useEffect(() => input.current?.focus(), [])
  // After rendering, which ends a selection. The next token then replaces the wrong one.
  useEffect(() => {
    if (refusal !== null) input.current?.select()
  }, [refusal])

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const field = input.current
    if (field === null || isSending) return
    setIsSending(true)
    const sentence = await signIn({ token: field.value.trim() })
    setIsSending(false)
    forgetLinkRefusal()
    setRefusal(sentence === null ? null : { sentence })
    if (sentence === null) onDone?.()
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      <label htmlFor={id}>Token</label>
      <input
        id={id}
        ref={input}
        className={styles.token}
        type="password"
        required
        autoComplete="current-password"
        spellCheck={false}
        aria-describedby={`${id}-hint ${id}-problem`}
        aria-invalid={refusal !== null}
      />
      <p id={`${id}-hint`} className={styles.hint}>
        The token of a reader or an operator, as <code>pulseward token create</code> printed it. The session
        lasts twelve hours.
      </p>
      <WithoutTyping />
      <p id={`${id}-problem`} className={styles.problem} role="alert">
        {refusal?.sentence ?? linkRefusal}
      </p>
      <DialogButtons>
        <Button type="submit" weight="strong" aria-disabled={isSending}>
          {isSending ? 'Signing in' : 'Sign in'}
        </Button>
        {onLeave !== undefined && (
          <Button weight="quiet" onClick={onLeave}>
            Close
          </Button>
        )}
      </DialogButtons>
    </form>
  )
}

function WithoutTyping() {
  const file = bodyOf(useSignInHelp())?.operator_token_file ?? null
  return (
    <p className={styles.hint}>
      Or run <code>pulseward sign-in</code>: it prints a link that signs you in.
      {file !== null && (
        <>
          {' '}
          The token of the first operator is on this machine, in <code className={styles.file}>{file}</code>.
        </>
      )}
    </p>
  )
}

function here(): string {
  return location.pathname + location.search
}
