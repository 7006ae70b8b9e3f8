// views/system: how the service itself is doing: throughput, queues and cost. What only editions with a store
// have (punctuality, storage, process) is left out if it is not served.
import { type Pipeline, pipelines } from '@pulseward/contract'
import { pipelineWords } from '@pulseward/contract/v1/words'
import { useLocation, useSearchParams } from 'wouter'
import { DestinationsPanel } from '../../components/destinations-panel.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { PanelGroup } from '../../components/panel-group.tsx'
import { Segments } from '../../components/segments.tsx'
import { useQueues } from '../../data/queues.ts'
import { bodyOf } from '../../data/reading.ts'
import { useSystems } from '../../data/systems.ts'
import { ChecksPanel } from './checks-panel.tsx'
import { LocationsPanel } from './locations-panel.tsx'
import { PoolPanel } from './pool-panel.tsx'
import { ProcessPanel } from './process-panel.tsx'
import { ProcessesPanel } from './processes-panel.tsx'
import { PunctualityPanel } from './punctuality-panel.tsx'
import { QueuePanel } from './queue-panel.tsx'
import { QueuesPanel } from './queues-panel.tsx'
import { SloPanel } from './slo-panel.tsx'
import { StagesPanel } from './stages-panel.tsx'
import { StoragePanel } from './storage-panel.tsx'
import styles from './system.module.css'
import { systemSentence } from './system-sentence.ts'
import { WorkersPanel } from './workers-panel.tsx'

export default function System() {
  const [parameters] = useSearchParams()
  const [, navigate] = useLocation()
  const systems = useSystems()
  const pipeline = pipelines.find((name) => name === parameters.get('pipeline')) ?? 'pulse'
  const choose = (next: Pipeline) =>
    navigate(next === 'pulse' ? '/system' : `/system?pipeline=${next}`, { replace: true })
  return (
    <>
      <div className={styles.head}>
        <PageTitle note={systemSentence(bodyOf(systems))}>System</PageTitle>
        <Segments
          label="Show the queue and the pool of"
          value={pipeline}
          choices={pipelines.map((value) => ({ value, words: pipelineWords[value] }))}
          onChoose={choose}
        />
      </div>
      <PanelGroup>
        {/* First: no other fault matters as much as undeliverable notifications. */}
        <DestinationsPanel reading={useQueues()} />
      </PanelGroup>
      <PanelGroup className={styles.thirds}>
        <ChecksPanel />
        <PunctualityPanel />
        <QueuesPanel />
      </PanelGroup>
      <PanelGroup className={styles.halves}>
        <QueuePanel pipeline={pipeline} />
        <PoolPanel pipeline={pipeline} />
      </PanelGroup>
      <PanelGroup>
        <WorkersPanel />
        <SloPanel />
        <StagesPanel systems={systems} />
        <ProcessesPanel systems={systems} />
        <LocationsPanel systems={systems} />
      </PanelGroup>
      <PanelGroup className={styles.halves}>
        <StoragePanel />
        <ProcessPanel />
      </PanelGroup>
    </>
  )
}
