// views/manage/page-buttons.tsx: pages through a v2 list. Cursors live for minutes, so they are not part of the URL.
import { Button } from '../../components/button.tsx'
import styles from './manage.module.css'

export interface PageButtonsProps {
  /** The cursors of the pages up to this one, except the first. */
  readonly turned: readonly string[]
  readonly next: string | undefined
  readonly onTurn: (turned: readonly string[]) => void
}

export function PageButtons({ turned, next, onTurn }: PageButtonsProps) {
  if (turned.length === 0 && next === undefined) return null
  return (
    <div className={styles.buttons}>
      <Button disabled={turned.length === 0} onClick={() => onTurn(turned.slice(0, -1))}>
        Back
      </Button>
      <Button disabled={next === undefined} onClick={() => next !== undefined && onTurn([...turned, next])}>
        Next
      </Button>
    </div>
  )
}
