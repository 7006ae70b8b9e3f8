// acting/verb-buttons.tsx: buttons for the verbs of a monitor. Verbs that the user may not use are not shown.
import { Button } from '../components/button.tsx'
import { useSession } from '../data/session.ts'
import { type Asked, ask } from './ask.ts'
import styles from './verb-buttons.module.css'
import { mayAsk, type Verb, verbs } from './verbs.ts'

export interface VerbButtonsProps {
  readonly of: Omit<Asked, 'verb'>
  /** In a list, the name distinguishes the buttons of one monitor from those of others. */
  readonly name?: string
  readonly offered: readonly Verb[]
}

export function VerbButtons({ of, name, offered }: VerbButtonsProps) {
  const allowed = useAllowedVerbs(offered)
  if (allowed.length === 0) return null
  return (
    <div className={styles.verbs}>
      {allowed.map((verb) => (
        <Button
          key={verb}
          aria-haspopup="dialog"
          aria-keyshortcuts={name === undefined ? verbs[verb].key : undefined}
          onClick={() => ask({ ...of, verb })}
        >
          {verbs[verb].words}
          {name !== undefined && <span className="visually-hidden"> {name}</span>}
        </Button>
      ))}
    </div>
  )
}

export function useAllowedVerbs(offered: readonly Verb[]): readonly Verb[] {
  const state = useSession()
  if (state.kind !== 'signed-in') return []
  return offered.filter((verb) => mayAsk(state.session.role, verb))
}
