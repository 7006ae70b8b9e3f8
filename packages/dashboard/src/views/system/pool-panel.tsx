// views/system/pool-panel.tsx: the slots of one pool, and how their number follows from observations.
import type { Pipeline, Pool } from '@pulseward/contract'
import { conditionMeanings, conditionWords } from '@pulseward/contract/v1/words'
import { BigFigure } from '../../components/big-figure.tsx'
import { Fact, Facts } from '../../components/facts.tsx'
import { Panel } from '../../components/panel.tsx'
import { ReadingView } from '../../components/reading-view.tsx'
import { usePoolHistory } from '../../data/pool-history.ts'
import { usePools } from '../../data/pools.ts'
import { formatCount, formatMeasure, missing, plural } from '../../format/count.ts'
import { formatMilliseconds } from '../../format/duration.ts'
import { sizingWords } from '../../words/sizing-words.ts'
import { SeriesFigure } from './series-figure.tsx'
import { serviceChart, slotChart } from './series-lines.ts'
import styles from './system.module.css'

export function PoolPanel({ pipeline }: { readonly pipeline: Pipeline }) {
  const history = usePoolHistory()
  return (
    <Panel title="Pool" aside="last 15 minutes">
      <ReadingView reading={usePools()} what="The pool">
        {({ pools: { [pipeline]: pool } }) => (
          <>
            <BigFigure means={`of ${plural(pool.capacity, 'slot')} busy`}>{formatCount(pool.busy)}</BigFigure>
            <ReadingView reading={history} what="The history of the pool">
              {({ series: { [pipeline]: samples } }) => (
                <div className={styles.charts}>
                  <SeriesFigure chart={slotChart(samples)} format={formatMeasure} />
                  <SeriesFigure chart={serviceChart(samples)} format={formatMilliseconds} height={90} />
                </div>
              )}
            </ReadingView>
            <Sizing pool={pool} />
          </>
        )}
      </ReadingView>
    </Panel>
  )
}

function Sizing({ pool }: { readonly pool: Pool }) {
  const { service_samples, slo_condition, min, max } = pool
  return (
    <>
      <p className={styles.reason} title={pool.sizing_model}>
        <strong>{plural(pool.recommended, 'slot')} recommended.</strong> {pool.reason} By{' '}
        {sizingWords[pool.sizing_model]}.
      </p>
      <Facts>
        <Fact term="Jobs per second" note="With the coefficient of variation of the time between them">
          {formatMeasure(pool.arrival_rate)}, {variation(pool.arrival_cv)}
        </Fact>
        <Fact term="A job takes" note={`From ${plural(service_samples, 'observation')}`}>
          {formatMilliseconds(pool.service_time_ms)}, {variation(pool.service_cv)}
        </Fact>
        <Fact term="Target for the mean wait">{formatMilliseconds(pool.target_ms)}</Fact>
        <Fact term="Bounds">
          {formatCount(min)} to {plural(max, 'slot')}
        </Fact>
        {slo_condition !== null && (
          <Fact term="Targets" note={conditionMeanings[slo_condition]}>
            {conditionWords[slo_condition].toLowerCase()}
          </Fact>
        )}
      </Facts>
    </>
  )
}

function variation(cv: number | null): string {
  return `variation ${cv === null ? missing : cv.toFixed(2)}`
}
