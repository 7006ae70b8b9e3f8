// views/manage/first-use/with-commands.tsx: the first steps of those who may not write: an address gives the commands to copy.
import { type Config, sessionEditions } from '@pulseward/contract'
import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Panel } from '../../../components/panel.tsx'
import { useConfig } from '../../../data/config.ts'
import { bodyOf } from '../../../data/reading.ts'
import { AddressField } from './address-field.tsx'
import { addressOf, commandsFor } from './first-monitor.ts'
import styles from './first-use.module.css'
import { notAnAddress } from './watch-step.tsx'

export function WithCommands() {
  const config = bodyOf(useConfig())
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  return (
    <Panel title="Watch your first service">
      <AddressField
        label="The address of a website or an API"
        example="https://example.com/"
        typed={typed}
        onType={setTyped}
        problem={problem}
        onSubmit={() => setProblem(addressOf(typed) === null ? notAnAddress : null)}
      />
      <Commands address={addressOf(typed)} config={config} />
    </Panel>
  )
}

interface CommandsProps {
  readonly address: URL | null
  readonly config: Config | null
}

function Commands({ address, config }: CommandsProps) {
  const [said, setSaid] = useState('')
  const commands = commandsFor(address ?? new URL('https://example.com/'), config)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(commands)
      setSaid('Copied.')
    } catch {
      setSaid('The browser does not allow copying here; select the text instead.')
    }
  }
  return (
    <>
      <p className={styles.lead}>
        {config !== null && servesSessions.has(config.edition)
          ? 'Sign in as an operator to watch it with one click, or start the service with a fleet file:'
          : 'The fleet is in a file. These commands write one and start the service with it:'}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard. */}
      <pre className={styles.commands} tabIndex={0}>
        {commands}
      </pre>
      <div className={styles.row}>
        <Button onClick={() => void copy()} onBlur={() => setSaid('')}>
          Copy the commands
        </Button>
        <span role="status">{said}</span>
      </div>
    </>
  )
}

const servesSessions: ReadonlySet<Config['edition']> = new Set(sessionEditions)
