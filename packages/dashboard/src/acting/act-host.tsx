// acting/act-host.tsx: hosts the dialog for the open question, once for the whole page, and the sentence that
// reports what was done. The dialog is loaded when it is first needed.
import { lazy, Suspense, useEffect } from 'react'
import { Button } from '../components/button.tsx'
import { Dialog, DialogButtons } from '../components/dialog.tsx'
import { ErrorBoundary } from '../components/error-boundary.tsx'
import { useV2 } from '../data/v2-request.ts'
import { useStore } from '../store.ts'
import styles from './act-host.module.css'
import { announcement, endQuestion, openQuestion, type Question } from './ask.ts'
import { CloseButton } from './close-button.tsx'
import { verbs } from './verbs.ts'

const ActDialog = lazy(() => import('./act-dialog.tsx'))
const ManyDialog = lazy(() => import('./many-dialog.tsx'))

/** Long enough to read it. */
const shownMs = 10_000

export function ActHost() {
  const question = useStore(openQuestion)
  const close = () => question !== null && endQuestion(question)
  return (
    <>
      <Done />
      {question !== null && (
        // Each question gets a new dialog: a closed one does not open again.
        <ErrorBoundary key={question.number} fallback={<NotLoaded onClose={close} />}>
          <Suspense>
            <QuestionDialog question={question} onClose={close} />
          </Suspense>
        </ErrorBoundary>
      )}
    </>
  )
}

interface QuestionDialogProps {
  readonly question: Question
  readonly onClose: () => void
}

function QuestionDialog({ question, onClose }: QuestionDialogProps) {
  const requests = useV2()
  if (requests === null)
    return (
      <Dialog title={verbs[question.asked.verb].words} onClose={onClose}>
        <p>Your session has ended. Sign in again, then try again.</p>
        <CloseButton isAlone />
      </Dialog>
    )
  return question.kind === 'one' ? (
    <ActDialog asked={question.asked} requests={requests} onClose={onClose} />
  ) : (
    <ManyDialog asked={question.asked} requests={requests} onClose={onClose} />
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

function NotLoaded({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="This cannot be shown" onClose={onClose}>
      <p>Nothing was done. The page may be older than the service.</p>
      <DialogButtons>
        <Button weight="strong" onClick={() => location.reload()}>
          Reload the page
        </Button>
      </DialogButtons>
    </Dialog>
  )
}
