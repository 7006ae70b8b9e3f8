// explaining/why.tsx: "Why?" beside a status, an incident or a message: opens its explanation. Left out for those who are not
// signed in, because v2 explains.
import { useState } from 'react'
import { createPortal } from 'react-dom'
import { Button } from '../components/button.tsx'
import { Dialog, DialogButtons } from '../components/dialog.tsx'
import { ReadingView } from '../components/reading-view.tsx'
import { type Explained, useExplanation } from '../data/explanation.ts'
import { useMay } from '../data/may.ts'
import styles from './explaining.module.css'
import { Explanation } from './explanation.tsx'

export interface WhyProps extends Explained {
  /** What it is about, for the title and for those who hear the button: "Edge". */
  readonly of: string
}

export function Why({ kind, id, of }: WhyProps) {
  const [isOpen, setIsOpen] = useState(false)
  if (!useMay('ExplainMonitor')) return null
  return (
    <span className={styles.place}>
      <Button
        weight="quiet"
        className={styles.why ?? ''}
        aria-haspopup="dialog"
        aria-label={`Why? ${of}`}
        onClick={() => setIsOpen(true)}
      >
        Why?
      </Button>
      {/* Apart from the list that the button is in, whose looks are not for what a dialog contains. */}
      {isOpen &&
        createPortal(
          <WhyDialog kind={kind} id={id} of={of} onClose={() => setIsOpen(false)} />,
          document.body,
        )}
    </span>
  )
}

function WhyDialog({ kind, id, of, onClose }: WhyProps & { readonly onClose: () => void }) {
  const reading = useExplanation({ kind, id })
  return (
    <Dialog title={`Why: ${of}`} onClose={onClose} isWide>
      <ReadingView reading={reading} what="The explanation">
        {(explanation) => <Explanation explanation={explanation} />}
      </ReadingView>
      <DialogButtons>
        <Button onClick={onClose}>Close</Button>
      </DialogButtons>
    </Dialog>
  )
}
