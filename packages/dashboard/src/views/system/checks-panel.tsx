// views/system/checks-panel.tsx: checks started per second, compared with those that become due.
import { BigFigure, Note } from '../../components/big-figure.tsx'
import { Panel } from '../../components/panel.tsx'
import { ReadingView } from '../../components/reading-view.tsx'
import { Spark } from '../../components/spark.tsx'
import { type CheckRates, useCheckRates } from '../../data/check-rates.ts'
import { useQueues } from '../../data/queues.ts'
import { bodyOf } from '../../data/reading.ts'
import { formatCount, formatMeasure } from '../../format/count.ts'
import { formatDuration } from '../../format/duration.ts'

const noRates: CheckRates = { intervalMs: 0, started: [], due: [] }

export function ChecksPanel() {
  const reading = useQueues()
  const { intervalMs, started, due } = bodyOf(useCheckRates()) ?? noRates
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
            <Spark values={started} against={due} />
            <Note>
              {started.length > 0 && `the line: last ${formatDuration(started.length * intervalMs)}, from 0`}
              {pulse.dropped > 0 && ` · ${formatCount(pulse.dropped)} dropped since the start`}
            </Note>
          </>
        )}
      </ReadingView>
    </Panel>
  )
}
