// views/system/stages-panel.tsx: the stages of the controller, in the order in which a check passes through them.
import { type Systems, systemNames } from '@pulseward/contract'
import { Panel } from '../../components/panel.tsx'
import { ReadingView } from '../../components/reading-view.tsx'
import { Cell, Figure, Heading, Table } from '../../components/table.tsx'
import { Age } from '../../components/time.tsx'
import type { Reading } from '../../data/reading.ts'
import { formatCount, missing } from '../../format/count.ts'
import { formatMilliseconds } from '../../format/duration.ts'
import styles from './system.module.css'

type Stage = Systems['systems'][number]

const meanings: Readonly<Record<Stage['name'], string>> = {
  schedule: 'finds the checks that are due',
  dispatch: 'dispatches checks',
  results: 'receives results',
  transitions: 'decides',
  actions: 'starts recoveries and notifications',
  commit: 'stores decisions',
  projection: 'updates what is shown',
  api: 'answers requests',
}

export function StagesPanel({ systems }: { readonly systems: Reading<Systems> }) {
  return (
    <Panel title="Stages of the controller" aside="since the start" flush>
      {systems.available && systems.stale === null ? (
        <Stages body={systems.body} />
      ) : (
        <div className={styles.inset}>
          <ReadingView reading={systems} what="The list of stages">
            {(body) => <Stages body={body} />}
          </ReadingView>
        </div>
      )}
    </Panel>
  )
}

function Stages({ body }: { readonly body: Systems }) {
  const stages = body.systems.toSorted((a, b) => systemNames.indexOf(a.name) - systemNames.indexOf(b.name))
  return (
    <Table
      caption="The stages and their figures"
      head={
        <>
          <Heading>Stage</Heading>
          <Heading figure title="Monitors, results, actions or requests">
            Handled
          </Heading>
          <Heading figure>Runs</Heading>
          <Heading figure>Last run</Heading>
          <Heading figure>On average</Heading>
          <Heading figure>Slowest</Heading>
          <Heading figure>Last progress</Heading>
        </>
      }
    >
      {stages.map((stage) => (
        <tr key={stage.name}>
          <Cell>
            {stage.name} <span className={styles.quiet}>{meanings[stage.name]}</span>
          </Cell>
          <Figure>{formatCount(stage.entities)}</Figure>
          <Figure>{formatCount(stage.updates)}</Figure>
          <Figure>{formatMilliseconds(stage.last_ms)}</Figure>
          <Figure>{formatMilliseconds(stage.avg_ms)}</Figure>
          <Figure>{formatMilliseconds(stage.max_ms)}</Figure>
          <Figure>
            {stage.last_progress === null ? (
              missing
            ) : (
              <>
                <Age since={stage.last_progress} /> ago
              </>
            )}
          </Figure>
        </tr>
      ))}
    </Table>
  )
}
