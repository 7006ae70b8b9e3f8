// acting/close-button.tsx: closes the dialog that it stands in, which gives the focus back.
import { Button } from '../components/button.tsx'

/** Alone, it has a border: without one it would stand out of line with the text above it. */
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
