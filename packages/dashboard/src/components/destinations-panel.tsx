// components/destinations-panel.tsx: whether notifications are delivered.
import type { Queues } from '@pulseward/contract'
import type { Reading } from '../data/reading.ts'
import { DestinationList } from './destination-list.tsx'
import { Panel } from './panel.tsx'
import { ReadingView } from './reading-view.tsx'

export function DestinationsPanel({ reading }: { readonly reading: Reading<Queues> }) {
  return (
    <Panel title="Destinations" aside="where notifications go">
      <ReadingView reading={reading} what="The state of the destinations">
        {({ destinations }) => <DestinationList destinations={destinations} />}
      </ReadingView>
    </Panel>
  )
}
