// views/overview/checks-panel.tsx: checks that are started a second against those that become due.
import { BigFigure, Note } from '../../components/big-figure.tsx'
import { Panel } from '../../components/panel.tsx'
import { ReadingView } from '../../components/reading-view.tsx'
import { Spark } from '../../components/spark.tsx'
import { useQueueHistory } from '../../data/queue-history.ts'
import { useQueues } from '../../data/queues.ts'
import { bodyOf } from '../../data/reading.ts'
import { formatCount, formatMeasure } from '../../format/count.ts'
import { formatDuration } from '../../format/duration.ts'

const shapeEveryMs = 30_000

export function ChecksPanel() {
  const reading = useQueues()
  const history = bodyOf(useQueueHistory(shapeEveryMs))
  const samples = history?.series.pulse ?? []
  const intervalMs = (history?.interval_seconds ?? 0) * 1000
  return (
    <Panel title="Checks">
      <ReadingView reading={reading} what="The rate of checks">
        {({ queues: { pulse } }) => (
          <>
            <BigFigure
              means={`per second, of ${formatMeasure(pulse.enqueue_rate)} due · over ${formatDuration(pulse.window_seconds * 1000)}`}
            >
              {formatMeasure(pulse.dequeue_rate)}
            </BigFigure>
            <Spark
              values={samples.map(({ dequeue_rate }) => dequeue_rate)}
              against={samples.map(({ enqueue_rate }) => enqueue_rate)}
            />
            <Note>
              {samples.length > 0 && `the line: last ${formatDuration(samples.length * intervalMs)}, from 0`}
              {pulse.dropped > 0 && ` · ${formatCount(pulse.dropped)} found no room since the start`}
            </Note>
          </>
        )}
      </ReadingView>
    </Panel>
  )
}
