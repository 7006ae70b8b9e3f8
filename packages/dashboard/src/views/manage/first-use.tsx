// views/manage/first-use.tsx: shown while nothing is monitored: an address and one click create the first monitor. If the
// page may not do that, the same address gives the commands to copy. Loaded only for an empty fleet.
import { type Config, sessionEditions, type v2 } from '@pulseward/contract'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { Link } from 'wouter'
import { Button } from '../../components/button.tsx'
import { Panel } from '../../components/panel.tsx'
import { useConfig } from '../../data/config.ts'
import { useMay } from '../../data/may.ts'
import { bodyOf } from '../../data/reading.ts'
import { useV2, type V2Requests } from '../../data/v2-request.ts'
import { addressOf, commandsFor, firstMonitor } from './first-monitor.ts'
import styles from './first-use.module.css'

export interface FirstUseProps {
  /** It stays visible to say what comes next, even if the fleet is no longer empty. */
  readonly onWatched: () => void
}

export default function FirstUse({ onWatched }: FirstUseProps) {
  const id = useId()
  const client = useQueryClient()
  const config = bodyOf(useConfig())
  const mayCreate = useMay('CreateMonitor')
  const requests = useV2()
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const [watched, setWatched] = useState<v2.Monitor | null>(null)
  if (watched !== null) return <Watched monitor={watched} />
  const canCreate = mayCreate && requests !== null
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const address = addressOf(typed)
    if (address === null) return setProblem('Enter an address such as https://example.com/.')
    setProblem(null)
    if (!canCreate) return
    const outcome = await create(requests, address)
    void client.invalidateQueries()
    if (typeof outcome === 'string') return setProblem(outcome)
    setWatched(outcome)
    onWatched()
  }
  return (
    <Panel title="Watch your first service">
      <form className={styles.form} onSubmit={submit} noValidate>
        <label htmlFor={id}>The address of a website or an API</label>
        <div className={styles.row}>
          <input
            id={id}
            className={styles.input}
            type="url"
            inputMode="url"
            autoComplete="url"
            spellCheck={false}
            placeholder="https://example.com/"
            aria-describedby={`${id}-hint ${id}-problem`}
            aria-invalid={problem !== null}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
          {canCreate && (
            <Button type="submit" weight="strong">
              Watch it
            </Button>
          )}
        </div>
        <p id={`${id}-hint`} className={styles.hint}>
          It is checked once a minute, with a timeout of ten seconds. Three failures in a row open an
          incident: one alone may be chance. You can change all of this later.
        </p>
        <p id={`${id}-problem`} role="alert" className={styles.problem}>
          {problem}
        </p>
      </form>
      {canCreate ? (
        <p className={styles.lead}>
          Is it something else, such as a database or a port?{' '}
          <Link className={styles.link} href="/manage/new/monitors">
            Choose another kind of check
          </Link>
        </p>
      ) : (
        <WithCommands address={addressOf(typed)} config={config} />
      )}
    </Panel>
  )
}

/** The monitor, or why there is none, as a sentence. */
async function create(requests: V2Requests, address: URL): Promise<v2.Monitor | string> {
  const body = firstMonitor(address)
  const outcome = await requests.write<v2.Monitor>({
    method: 'POST',
    path: '/api/v2/monitors',
    body,
    isCreate: true,
  })
  if (outcome.kind === 'done') return outcome.body
  if (outcome.kind === 'unknown')
    return 'The answer was lost, so it is unknown whether it is watched. Look at the list of monitors.'
  return outcome.status === 412 ? 'There is a monitor for this host already.' : outcome.sentence
}

function Watched({ monitor: { metadata } }: { readonly monitor: v2.Monitor }) {
  return (
    <Panel title="Watch your first service">
      <p role="status">
        <strong className={styles.name}>{metadata.name ?? metadata.id}</strong> is watched. Its first check is
        due within a minute.
      </p>
      <ul className={styles.next}>
        <li>
          <Link className={styles.link} href="/manage/new/endpoints">
            Choose who is notified when it fails
          </Link>
        </li>
        <li>
          <Link className={styles.link} href="/manage/new/monitors">
            Watch something else
          </Link>
        </li>
        <li>
          <Link className={styles.link} href={`/manage/monitors/${encodeURIComponent(metadata.id)}`}>
            Change how it is checked
          </Link>
        </li>
      </ul>
    </Panel>
  )
}

interface WithCommandsProps {
  readonly address: URL | null
  readonly config: Config | null
}

function WithCommands({ address, config }: WithCommandsProps) {
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
