// acting/close-button.tsx: closes the dialog that it stands in, which gives the focus back.
import { Button } from '../components/button.tsx'

export function CloseButton() {
  return (
    <Button weight="quiet" onClick={({ currentTarget }) => currentTarget.closest('dialog')?.close()}>
      Close
    </Button>
  )
}
