// acting/use-verb-keys.ts: the keys for the verbs of one monitor, while its page or its list is shown. The
// help lists them, and the palette offers them by name. Verbs that the user may not use have no key.
import { useMemo, useRef } from 'react'
import { type Key, useKeys } from '../shell/keys.ts'
import { type Asked, announcement, ask } from './ask.ts'
import { useAllowedVerbs } from './verb-buttons.tsx'
import { isOfIncident, type Verb, verbs } from './verbs.ts'

export interface VerbKeysOptions {
  readonly offered: readonly Verb[]
  /** Completes "Snooze". */
  readonly what: string
  /** Completes "Dismiss". */
  readonly incident?: string
  /** Called when the key is pressed; null if no row has the focus. */
  readonly find: () => Omit<Asked, 'verb'> | null
}

export function useVerbKeys({ offered, what, incident = what, find }: VerbKeysOptions): void {
  const allowed = useAllowedVerbs(offered).join(' ')
  const current = useRef(find)
  current.current = find
  useKeys(
    useMemo<readonly Key[]>(() => {
      const names = allowed.split(' ').filter((name): name is Verb => name in verbs)
      return names.map((verb) => ({
        keys: verbs[verb].key,
        does: `${verbs[verb].words} ${isOfIncident(verb) ? incident : what}`,
        isCommand: true,
        run() {
          const of = current.current()
          if (of === null) announcement.set('No row is in focus. Go to one with j and k first.')
          else ask({ ...of, verb })
        },
      }))
    }, [allowed, what, incident]),
  )
}
