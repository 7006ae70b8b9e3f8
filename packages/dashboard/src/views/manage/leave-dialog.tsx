// views/manage/leave-dialog.tsx: asks before what was typed is lost. Staying is the answer to everything but a clear yes.
import { Button } from '../../components/button.tsx'
import { Dialog, DialogButtons } from '../../components/dialog.tsx'
import type { Leaving } from '../../shell/leaving.ts'

export function LeaveDialog({ leaving, what }: { readonly leaving: Leaving; readonly what: string }) {
  return (
    <Dialog title="Leave without saving?" onClose={leaving.stay}>
      <p>What you changed in this {what} is not saved. If you leave, it is lost.</p>
      <DialogButtons>
        <Button weight="strong" onClick={leaving.stay}>
          Stay
        </Button>
        <Button onClick={leaving.leave}>Leave</Button>
      </DialogButtons>
    </Dialog>
  )
}
