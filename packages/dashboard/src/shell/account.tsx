// shell/account.tsx: who is signed in, and signing in and out. Nothing if this edition has no sessions.
import { useState } from 'react'
import { Button } from '../components/button.tsx'
import { Dialog, DialogButtons } from '../components/dialog.tsx'
import { useMay } from '../data/may.ts'
import { signOut, useSession } from '../data/session.ts'
import { forgetLinkRefusal, useLinkRefusal } from '../data/sign-in-link.ts'
import styles from './account.module.css'
import { PersonIcon } from './icons.tsx'
import { SignInForm } from './sign-in.tsx'

export function Account() {
  const state = useSession()
  /** The dialog is for who was signed in when it was opened: a link or another tab may sign in meanwhile. */
  const [openFor, setOpenFor] = useState<string | null | undefined>()
  const isLinkRefused = useLinkRefusal() !== null
  if (state.kind === 'unknown' || state.kind === 'not-served') return null
  const name = state.kind === 'signed-in' ? state.session.name : null
  const close = () => {
    forgetLinkRefusal()
    setOpenFor(undefined)
  }
  return (
    <>
      <button
        type="button"
        className={styles.account}
        aria-haspopup="dialog"
        onClick={() => setOpenFor(name)}
      >
        <PersonIcon />
        <span className={styles.words}>
          {name === null ? (
            'Sign in'
          ) : (
            <>
              <span className="visually-hidden">Signed in as </span>
              {name}
            </>
          )}
        </span>
      </button>
      {(openFor === name || (isLinkRefused && name === null)) && (
        <Dialog title={name === null ? 'Sign in' : 'You are signed in'} onClose={close}>
          {name === null ? (
            <SignInForm onDone={close} onLeave={close} />
          ) : (
            <SignedIn name={name} onDone={close} />
          )}
        </Dialog>
      )}
    </>
  )
}

function SignedIn({ name, onDone }: { readonly name: string; readonly onDone: () => void }) {
  const mayChange = useMay('PatchMonitor')
  const [problem, setProblem] = useState<string | null>(null)
  const leave = async () => {
    const refused = await signOut()
    setProblem(refused)
    if (refused === null) onDone()
  }
  return (
    <>
      <p className={styles.name}>
        As <strong>{name}</strong>,{' '}
        {mayChange ? 'an operator: you may look and act.' : 'a reader: you may look but not change anything.'}
      </p>
      <p role="alert" className={styles.problem}>
        {problem}
      </p>
      <DialogButtons>
        <Button onClick={leave}>Sign out</Button>
        <Button weight="quiet" onClick={onDone}>
          Close
        </Button>
      </DialogButtons>
    </>
  )
}
