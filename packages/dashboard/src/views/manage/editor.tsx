// views/manage/editor.tsx: the page of one editable document: conflicts with other changes, its form and
// text, its history, and the dialogs that ask before something is lost.
import { useState } from 'react'
import { useLocation } from 'wouter'
import { Button } from '../../components/button.tsx'
import { Dialog, DialogButtons } from '../../components/dialog.tsx'
import type { Leaving } from '../../shell/leaving.ts'
import { ConflictPanel } from './conflict-panel.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import { DocumentForm } from './document-form.tsx'
import { HistoryPanel } from './history-panel.tsx'
import { listAddress } from './kinds.ts'
import type { Schema } from './schema.ts'
import { trialWordsOf } from './trial/trial.ts'
import { useTrial } from './trial/use-trial.ts'
import { type EditingOptions, useEditing } from './use-editing.ts'

export interface EditorProps extends EditingOptions {
  readonly schema: Schema
}

export default function Editor({ words, schema, requests, start }: EditorProps) {
  const [, navigate] = useLocation()
  const editing = useEditing({ words, requests, start })
  const [isDeleting, setIsDeleting] = useState(false)
  const trial = useTrial(trialWordsOf(words.kind), editing.draft, requests)
  const { base, saving, leaving } = editing
  return (
    <>
      {saving.kind === 'conflict' && base !== null && (
        <ConflictPanel
          words={words}
          before={base}
          now={saving.now}
          requests={requests}
          onTakeTheirs={editing.takeTheirs}
          onKeepMine={editing.keepMine}
        />
      )}
      <DocumentForm
        words={words}
        schema={schema}
        editing={editing}
        trial={trial}
        onDelete={() => setIsDeleting(true)}
      />
      {base !== null && (
        <HistoryPanel
          words={words}
          id={base.resource.metadata.id}
          version={base.version}
          requests={requests}
        />
      )}
      {leaving.isAsked && <LeaveDialog leaving={leaving} what={words.one} />}
      {isDeleting && base !== null && (
        <DeleteDialog
          words={words}
          shown={base}
          requests={requests}
          onClose={() => setIsDeleting(false)}
          onDeleted={() => {
            leaving.release()
            navigate(listAddress(words), { replace: true })
          }}
          onConflict={() => {
            setIsDeleting(false)
            void editing.showConflict(base.resource.metadata.id)
          }}
        />
      )}
    </>
  )
}

/** Asks before typed text is lost. Anything but a clear yes means staying. */
function LeaveDialog({ leaving, what }: { readonly leaving: Leaving; readonly what: string }) {
  return (
    <Dialog title="Leave without saving?" onClose={leaving.stay}>
      <p>Your changes to this {what} are not saved. If you leave, they are lost.</p>
      <DialogButtons>
        <Button weight="strong" onClick={leaving.stay}>
          Stay
        </Button>
        <Button onClick={leaving.leave}>Leave</Button>
      </DialogButtons>
    </Dialog>
  )
}
