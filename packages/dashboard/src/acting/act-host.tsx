// acting/act-host.tsx: where the dialog of what was asked stands, once for the whole page, and the sentence that tells what
// was done. The dialog is loaded when something is asked for the first time.
import { lazy, Suspense, useEffect } from 'react'
import { Button } from '../components/button.tsx'
import { Dialog, DialogButtons } from '../components/dialog.tsx'
import { ErrorBoundary } from '../components/error-boundary.tsx'
import { useStore } from '../store.ts'
import styles from './act-host.module.css'
import { announcement, asked, askedOfMany } from './ask.ts'

const ActDialog = lazy(() => import('./act-dialog.tsx'))
const ManyDialog = lazy(() => import('./many-dialog.tsx'))

/** Long enough to be read. */
const shownMs = 10_000

const close = () => {
  asked.set(null)
  askedOfMany.set(null)
}

export function ActHost() {
  const request = useStore(asked)
  const ofMany = useStore(askedOfMany)
  return (
    <>
      <Done />
      {(request !== null || ofMany !== null) && (
        <ErrorBoundary fallback={<NotLoaded />}>
          <Suspense>
            {request !== null && <ActDialog asked={request} onClose={close} />}
            {ofMany !== null && <ManyDialog asked={ofMany} onClose={close} />}
          </Suspense>
        </ErrorBoundary>
      )}
    </>
  )
}

function Done() {
  const sentence = useStore(announcement)
  useEffect(() => {
    if (sentence === null) return
    const timer = setTimeout(() => announcement.set(null), shownMs)
    return () => clearTimeout(timer)
  }, [sentence])
  return (
    <div role="status" className={styles.done}>
      {sentence !== null && <p>{sentence}</p>}
    </div>
  )
}

function NotLoaded() {
  return (
    <Dialog title="This cannot be shown" onClose={close}>
      <p>Nothing was done. The page may be older than the service.</p>
      <DialogButtons>
        <Button weight="strong" onClick={() => location.reload()}>
          Reload the page
        </Button>
      </DialogButtons>
    </Dialog>
  )
}
