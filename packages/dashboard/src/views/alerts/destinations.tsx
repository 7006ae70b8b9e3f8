// views/alerts/destinations.tsx: whether those who are to be told can be reached. The ones that cannot come first.
import type { Destination } from '@pulseward/contract'
import { Empty } from '../../components/empty.tsx'
import { Panel } from '../../components/panel.tsx'
import { ReadingView } from '../../components/reading-view.tsx'
import { StatusGlyph } from '../../components/status.tsx'
import { Until } from '../../components/time.tsx'
import { useQueues } from '../../data/queues.ts'
import { formatCount, plural } from '../../format/count.ts'
import styles from './alerts.module.css'

const order = { dead: 0, limited: 1, ok: 2 } as const
const glyphs = { dead: 'down', limited: 'degraded', ok: 'up' } as const

export function Destinations() {
  const reading = useQueues()
  return (
    <Panel title="Destinations" aside="where notifications go">
      <ReadingView reading={reading} what="The state of the destinations">
        {({ destinations }) =>
          destinations.length === 0 ? (
            <Empty>No destination is configured: nobody is told.</Empty>
          ) : (
            <ul>
              {destinations
                .toSorted((a, b) => order[a.state] - order[b.state] || b.queued - a.queued)
                .map((destination) => (
                  <DestinationRow key={destination.name} destination={destination} />
                ))}
            </ul>
          )
        }
      </ReadingView>
    </Panel>
  )
}

function DestinationRow({ destination }: { readonly destination: Destination }) {
  const { name, driver, state, queued } = destination
  return (
    <li className={styles.destination} title={state}>
      <StatusGlyph status={glyphs[state]} />
      <div className={styles.what}>
        <strong>{name}</strong> <span className={styles.quiet}>{driver}</span>
        <p className={styles.words}>
          <StateWords destination={destination} />
        </p>
      </div>
      <span className={styles.age} title={plural(queued, 'notification')}>
        {queued > 0 && `${formatCount(queued)} waiting`}
      </span>
    </li>
  )
}

function StateWords({ destination: { state, until } }: { readonly destination: Destination }) {
  if (state === 'ok') return 'Takes notifications.'
  if (state === 'dead')
    return 'Answered that it is gone. Nothing is sent to it until its configuration changes.'
  return (
    <>
      Asked for a pause;{' '}
      {until === null ? (
        'it is tried again later'
      ) : (
        <>
          it is tried again <Until at={until} />
        </>
      )}
      .
    </>
  )
}
