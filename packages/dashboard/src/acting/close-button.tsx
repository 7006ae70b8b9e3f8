// acting/close-button.tsx: closes the dialog around it, which returns the focus.
import { Button } from '../components/button.tsx'

/** Alone it has a border: without one it would not line up with the text above. */
export function CloseButton({ isAlone = false }: { readonly isAlone?: boolean }) {
  return (
    <Button
      weight={isAlone ? 'normal' : 'quiet'}
      onClick={({ currentTarget }) => currentTarget.closest('dialog')?.close()}
    >
      Close
    </Button>
  )
}
