// shell/command-palette.tsx: from anywhere to any view, action, incident, monitor, setting or document, in a native dialog. The input keeps
// the focus; arrow keys move through the results, which are announced. A separate chunk, loaded when it is first opened.
import { type KeyboardEvent, useDeferredValue, useEffect, useId, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { StatusGlyph } from '../components/status.tsx'
import { statusWords } from '../components/status-words.ts'
import { type MonitorList, useMonitors } from '../data/monitors.ts'
import { useResting } from '../data/use-resting.ts'
import { useOfferedViews } from '../views/offered-views.ts'
import styles from './command-palette.module.css'
import { wishIn } from './palette-actions.ts'
import { type Choice, choicesInWords, paletteChoices, stepped } from './palette-choices.ts'
import { useFindable } from './use-findable.ts'

const asks = 'A view, a command, an incident, or a part of a monitor’s name'
const restMs = 120
const mostMonitors = 12

export default function CommandPalette({ onClose }: { readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [, navigate] = useLocation()
  const [text, setText] = useState('')
  const [place, setPlace] = useState(0)
  const id = useId()
  const wish = wishIn(text)
  const { found, failure } = useFound(text)
  const named = useFound(wish.verb === null ? '' : wish.rest)
  const more = useFindable(wish, named.found?.monitors ?? [])
  const current = paletteChoices(text, found, useOfferedViews(), more)
  const choices = useDeferredValue(current)
  const chosen = choices[Math.min(place, choices.length - 1)]
  useEffect(() => dialog.current?.showModal(), [])

  const open = (choice: Choice | undefined) => {
    if (choice === undefined) return
    // Closing returns the focus, so that a command for a selected row finds that row.
    dialog.current?.close()
    if (choice.kind === 'command' || choice.kind === 'action') choice.run()
    else if (choice.kind === 'document') window.open(choice.address, '_blank', 'noopener,noreferrer')
    else navigate(choice.path)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    setPlace(stepped(Math.min(place, choices.length - 1), step, choices.length))
  }
  return (
    <dialog className={styles.palette} ref={dialog} onClose={onClose} aria-label="Go to" closedby="any">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          // The list may be behind what was typed; Enter means the text as it is.
          open(current[Math.min(place, current.length - 1)])
        }}
      >
        <input
          className={styles.input}
          type="text"
          role="combobox"
          aria-label={asks}
          aria-expanded={true}
          aria-controls={`${id}-choices`}
          aria-activedescendant={chosen === undefined ? undefined : `${id}-${choices.indexOf(chosen)}`}
          aria-autocomplete="list"
          placeholder={asks}
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            setPlace(0)
          }}
          onKeyDown={onKeyDown}
        />
      </form>
      <div className={styles.choices} id={`${id}-choices`} role="listbox" aria-label="Places">
        {choices.map((choice, index) => (
          <ChoiceRow
            key={`${choice.kind} ${choice.name} ${'path' in choice ? choice.path : ''}`}
            id={`${id}-${index}`}
            choice={choice}
            isChosen={choice === chosen}
            onOpen={() => open(choice)}
          />
        ))}
      </div>
      <p className={failure === null ? 'visually-hidden' : styles.failure} role="status">
        {failure ?? choicesInWords(text, choices, found)}
      </p>
    </dialog>
  )
}

const steps: Readonly<Record<string, 1 | -1>> = { ArrowDown: 1, ArrowUp: -1 }

interface Found {
  readonly found: MonitorList | null
  readonly failure: string | null
}

function useFound(text: string): Found {
  const words = useResting(text.trim(), restMs)
  const list = useMonitors({ q: words, size: mostMonitors }, { enabled: words !== '' })
  if (text.trim() === '') return { found: null, failure: null }
  if (list.available) return { found: words === '' ? null : list.body, failure: null }
  if (list.reason === 'loading') return { found: null, failure: null }
  return { found: null, failure: `Monitors cannot be searched now. ${list.failure.message}` }
}

const asides: Readonly<Partial<Record<Choice['kind'], string>>> = {
  all: 'Monitors',
  action: 'Action',
  incident: 'Incident',
  setting: 'Setting',
  document: 'Documentation, in a new tab',
}

function ChoiceRow(props: {
  readonly id: string
  readonly choice: Choice
  readonly isChosen: boolean
  readonly onOpen: () => void
}) {
  const { id, choice, isChosen, onOpen } = props
  const row = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isChosen) row.current?.scrollIntoView({ block: 'nearest' })
  }, [isChosen])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard is in the input, which the option belongs to.
    // biome-ignore lint/a11y/useFocusableInteractive: as above.
    <div
      ref={row}
      id={id}
      role="option"
      aria-selected={isChosen}
      className={styles.choice}
      // The input keeps the focus.
      onPointerDown={(event) => event.preventDefault()}
      onClick={onOpen}
    >
      {choice.kind === 'monitor' && <StatusGlyph status={choice.look} />}
      <span className={styles.name}>{choice.name}</span>
      <span className={styles.aside}>
        {choice.kind === 'monitor' && statusWords[choice.look]}
        {(choice.kind === 'view' || choice.kind === 'command') &&
          choice.keys.split(' ').map((key) => <kbd key={key}>{key}</kbd>)}
        {choice.kind in asides && asides[choice.kind]}
      </span>
    </div>
  )
}
