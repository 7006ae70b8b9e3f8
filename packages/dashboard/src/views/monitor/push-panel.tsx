// views/monitor/push-panel.tsx: a job that reports by itself: what is expected and what came, and how it reports.
import type { PushReport } from '@pulseward/contract'
import { useState } from 'react'
import { Fact, Facts } from '../../components/facts.tsx'
import { Panel } from '../../components/panel.tsx'
import { Cell, Figure, Heading, Table } from '../../components/table.tsx'
import { Age, Duration, Time, Until } from '../../components/time.tsx'
import { missing } from '../../format/count.ts'
import { Copied } from './copied.tsx'
import { NewKey } from './new-key.tsx'
import { keyPlace, pushAddress, pushExamples } from './push-examples.ts'
import styles from './push-panel.module.css'

const stateWords: Readonly<Record<PushReport['state'], string>> = {
  new: 'Waiting for its first signal',
  up: 'Reports in time',
  late: 'Late',
  down: 'Missed',
}

const signalWords: Readonly<Record<PushReport['signals'][number]['kind'], string>> = {
  success: 'Success',
  fail: 'Failure',
  start: 'Start',
  log: 'Log',
}

export interface PushPanelProps {
  readonly report: PushReport
  /** Absent in the edition without stable identities. */
  readonly monitorId: string | undefined
}

export function PushPanel({ report, monitorId }: PushPanelProps) {
  return (
    <>
      <Panel title="Signals">
        <Expected report={report} />
        {report.signals.length > 0 && <Signals signals={report.signals} />}
      </Panel>
      <HowToReport monitorId={monitorId} />
    </>
  )
}

function Expected({ report }: { readonly report: PushReport }) {
  const { state, late_since, due_at, last_signal, last_signal_at, runs, previous_key_used_at, hint } = report
  return (
    <>
      <Facts>
        <Fact term="State">
          {stateWords[state]}
          {late_since !== null && (
            <>
              {' '}
              since <Time at={late_since} />
            </>
          )}
        </Fact>
        <Fact term="Expected">
          {due_at === null ? (
            missing
          ) : (
            <>
              <Time at={due_at} /> (<Until at={due_at} />)
            </>
          )}
        </Fact>
        <Fact term="Received">
          {last_signal_at === null || last_signal === null ? (
            missing
          ) : (
            <>
              {signalWords[last_signal]}, <Age since={last_signal_at} /> ago
            </>
          )}
        </Fact>
        {runs.map(({ rid, started_at }) => (
          <Fact key={rid} term={rid === '' ? 'Running' : `Running: ${rid}`}>
            since <Time at={started_at} />
          </Fact>
        ))}
        {previous_key_used_at !== null && (
          <Fact term="Previous key" note="Remove it when no job uses it any more.">
            used <Age since={previous_key_used_at} /> ago
          </Fact>
        )}
      </Facts>
      {hint !== null && <p className={styles.hint}>{hint}</p>}
    </>
  )
}

function Signals({ signals }: Pick<PushReport, 'signals'>) {
  const head = (
    <>
      <Heading>Came</Heading>
      <Heading>Said</Heading>
      <Heading figure>Took</Heading>
    </>
  )
  return (
    <Table caption="The last signals that said more than that all is well" head={head}>
      {signals.map((signal) => (
        <tr key={`${signal.at} ${signal.kind} ${signal.rid}`}>
          <Cell>
            <Time at={signal.at} />
          </Cell>
          <Cell>
            {signalWords[signal.kind]}
            {signal.message !== '' && `: ${signal.message}`}
            {signal.output !== '' && (
              <details>
                <summary>Output</summary>
                {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard. */}
                <pre className={styles.text} tabIndex={0}>
                  {signal.output}
                </pre>
              </details>
            )}
          </Cell>
          <Figure>{signal.run_ms === null ? missing : <Duration ms={signal.run_ms} />}</Figure>
        </tr>
      ))}
    </Table>
  )
}

function HowToReport({ monitorId }: Pick<PushPanelProps, 'monitorId'>) {
  const address = pushAddress(location.origin)
  const examples = pushExamples(address)
  const [name, setName] = useState(examples[0]!.name)
  const shown = examples.find((example) => example.name === name) ?? examples[0]!
  return (
    <Panel title="How the job reports">
      <p>
        The job calls this address; {keyPlace} stands for the value of its credential, which is not shown
        here.
      </p>
      <Copied text={address} what="the address" />
      <label className={styles.choice}>
        Example for{' '}
        <select value={name} onChange={(event) => setName(event.target.value)}>
          {examples.map((example) => (
            <option key={example.name}>{example.name}</option>
          ))}
        </select>
      </label>
      <Copied text={shown.text} what="the example" />
      {monitorId !== undefined && <NewKey monitorId={monitorId} />}
    </Panel>
  )
}
