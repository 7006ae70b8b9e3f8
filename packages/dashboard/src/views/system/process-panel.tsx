// views/system/process-panel.tsx: what the process uses. Left out if the edition does not report it.
import { BigFigure } from '../../components/big-figure.tsx'
import { Fact, Facts } from '../../components/facts.tsx'
import { Panel } from '../../components/panel.tsx'
import { ReadingView } from '../../components/reading-view.tsx'
import { useServiceState } from '../../data/state.ts'
import { formatBytes, formatCount } from '../../format/count.ts'
import { formatDuration } from '../../format/duration.ts'
import { formatPercent } from '../../format/percent.ts'

export function ProcessPanel() {
  const reading = useServiceState()
  if (!reading.available && reading.reason === 'absent') return null
  return (
    <Panel title="Process">
      <ReadingView reading={reading} what="The state of the process">
        {({ process }) => (
          <>
            <BigFigure means="of memory">{formatBytes(process.rss_bytes)}</BigFigure>
            <Facts>
              <Fact term="JavaScript heap">{formatBytes(process.heap_bytes)}</Fact>
              <Fact term="Processor time" note="Since the start; 100 % is one core">
                {formatDuration(process.cpu_seconds * 1000)},{' '}
                {formatPercent(
                  process.uptime_seconds === 0 ? null : (process.cpu_seconds / process.uptime_seconds) * 100,
                  0,
                )}{' '}
                of a core on average
              </Fact>
              <Fact term="Runs for">{formatDuration(process.uptime_seconds * 1000)}</Fact>
              <Fact term="Threads">{formatCount(process.threads)}</Fact>
            </Facts>
          </>
        )}
      </ReadingView>
    </Panel>
  )
}
