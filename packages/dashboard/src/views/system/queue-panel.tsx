// views/system/queue-panel.tsx: what waits in one queue, and its throughput in the last 15 minutes.
import type { Pipeline } from '@pulseward/contract'
import { BigFigure } from '../../components/big-figure.tsx'
import { Fact, Facts } from '../../components/facts.tsx'
import { Panel } from '../../components/panel.tsx'
import { ReadingView } from '../../components/reading-view.tsx'
import { useQueueHistory } from '../../data/queue-history.ts'
import { useQueues } from '../../data/queues.ts'
import { formatCount, formatMeasure } from '../../format/count.ts'
import { formatDuration } from '../../format/duration.ts'
import { SeriesFigure } from './series-figure.tsx'
import { depthChart, rateChart } from './series-lines.ts'
import styles from './system.module.css'

export function QueuePanel({ pipeline }: { readonly pipeline: Pipeline }) {
  const history = useQueueHistory()
  return (
    <Panel title="Queue" aside="last 15 minutes">
      <ReadingView reading={useQueues()} what="The queue">
        {({ queues: { [pipeline]: queue } }) => (
          <>
            <BigFigure means={`waiting, of at most ${formatCount(queue.capacity)}`}>
              {formatCount(queue.depth)}
            </BigFigure>
            <ReadingView reading={history} what="The history of the queue">
              {({ series: { [pipeline]: samples } }) => (
                <div className={styles.charts}>
                  <SeriesFigure chart={rateChart(samples)} format={formatMeasure} />
                  <SeriesFigure chart={depthChart(samples)} format={formatMeasure} height={90} />
                </div>
              )}
            </ReadingView>
            <Facts>
              <Fact term={`Added and taken in the last ${formatDuration(queue.window_seconds * 1000)}`}>
                {formatMeasure(queue.enqueue_rate)} and {formatMeasure(queue.dequeue_rate)} per second
              </Fact>
              <Fact term="Waited">
                {formatDuration(queue.avg_wait_ms)} on average, {formatDuration(queue.max_wait_ms)} at most
              </Fact>
              <Fact term="Oldest entry has waited">{formatDuration(queue.oldest_ms)}</Fact>
              <Fact term="Dropped for lack of room, since the start">{formatCount(queue.dropped)}</Fact>
            </Facts>
          </>
        )}
      </ReadingView>
    </Panel>
  )
}
