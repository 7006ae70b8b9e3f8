// views/system/queues-panel.tsx: how full the three queues are, and the recommended size of the pool of checks.
import type { Pipeline } from '@pulseward/contract'
import { pipelineWords } from '@pulseward/contract/v1/words'
import { Note } from '../../components/big-figure.tsx'
import { Meter } from '../../components/meter.tsx'
import { Panel } from '../../components/panel.tsx'
import { ReadingView } from '../../components/reading-view.tsx'
import { usePools } from '../../data/pools.ts'
import { useQueues } from '../../data/queues.ts'
import { bodyOf } from '../../data/reading.ts'
import { formatCount, plural } from '../../format/count.ts'
import { formatMilliseconds } from '../../format/duration.ts'

const almostFull = 0.8
const order: readonly Pipeline[] = ['pulse', 'intervention', 'code']

export function QueuesPanel() {
  const reading = useQueues()
  const pool = bodyOf(usePools())?.pools.pulse ?? null
  return (
    <Panel title="Queues" aside="waiting now">
      <ReadingView reading={reading} what="The state of the queues">
        {({ queues }) => (
          <>
            {order.map((name) => {
              const { depth, capacity } = queues[name]
              const share = capacity === 0 ? null : depth / capacity
              return (
                <Meter
                  key={name}
                  name={<span title={name}>{pipelineWords[name]}</span>}
                  share={share}
                  tone={share !== null && share >= almostFull ? 'warning' : 'normal'}
                  figures={`${formatCount(depth)} / ${formatCount(capacity)}`}
                />
              )
            })}
            <Note {...(pool !== null && { title: pool.reason })}>
              Checks wait {formatMilliseconds(queues.pulse.avg_wait_ms)} on average
              {pool !== null &&
                ` · ${plural(pool.recommended, 'slot')} recommended, ${formatCount(pool.capacity)} open`}
            </Note>
          </>
        )}
      </ReadingView>
    </Panel>
  )
}
