// views/system/punctuality-panel.tsx: how many checks started on time. Left out if the edition does not measure it.
import type { Slo } from '@pulseward/contract'
import { BigFigure, Note } from '../../components/big-figure.tsx'
import { Meter } from '../../components/meter.tsx'
import { Panel } from '../../components/panel.tsx'
import { Percent } from '../../components/percent.tsx'
import { ReadingView } from '../../components/reading-view.tsx'
import { useSlo } from '../../data/slo.ts'
import { formatCount } from '../../format/count.ts'
import { formatDuration, formatMilliseconds } from '../../format/duration.ts'
import { formatPercent } from '../../format/percent.ts'
import { punctualityOf } from './punctuality.ts'

const kindsShown = 3

export function PunctualityPanel() {
  const reading = useSlo()
  if (!reading.available && reading.reason === 'absent') return null
  const windowMs = reading.available ? reading.body.window_seconds * 1000 : null
  return (
    <Panel title="Punctuality" aside={windowMs === null ? undefined : `last ${formatDuration(windowMs)}`}>
      <ReadingView reading={reading} what="Punctuality">
        {(slo) => <Figures slo={slo} />}
      </ReadingView>
    </Panel>
  )
}

function Figures({ slo }: { readonly slo: Slo }) {
  const { attainedPercent, worstP99Ms, missed, overdue } = punctualityOf(slo)
  const worstFirst = [...slo.reports].sort((a, b) => (a.queue_attainment ?? 2) - (b.queue_attainment ?? 2))
  return (
    <>
      <BigFigure means={`started within ${formatMilliseconds(slo.queue_target_ms)}`}>
        <Percent percent={attainedPercent} />
      </BigFigure>
      {worstFirst.slice(0, kindsShown).map(({ driver, queue_attainment: share }) => (
        <Meter
          key={driver}
          name={driver}
          share={share}
          tone={share !== null && share < 0.99 ? 'warning' : 'good'}
          figures={formatPercent(share === null ? null : share * 100)}
        />
      ))}
      <Note>
        99 of 100 within {formatMilliseconds(worstP99Ms)} · {formatCount(missed)} missed ·{' '}
        {formatCount(overdue)} overdue
        {!slo.coverage_complete && ' · the window has a gap'}
      </Note>
    </>
  )
}
