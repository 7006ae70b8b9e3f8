// views/incident/story-panels.tsx: the sections of a story, each with its events in the order of the log. What checks,
// providers and people said is text.
import {
  type IncidentStory,
  type StoryItem,
  type StorySectionName,
  type StoryStep,
  storySections,
} from '@pulseward/contract/v1/words'
import { Panel } from '../../components/panel.tsx'
import { formatMoment, formatTime, withLocalTimes } from '../../format/time.ts'
import styles from './incident.module.css'

const names = Object.keys(storySections) as StorySectionName[]

export function StoryPanels({ story: { sections, openedAt } }: { readonly story: IncidentStory }) {
  return names.map((name) => (
    <Panel key={name} title={storySections[name].title}>
      {sections[name].length === 0 ? (
        <p className={styles.nothing}>{storySections[name].nothing}</p>
      ) : (
        <ol className={styles.items}>
          {sections[name].map((item) => (
            <Item key={item.id} item={item} openedAt={openedAt} />
          ))}
        </ol>
      )}
    </Panel>
  ))
}

interface ItemProps {
  readonly item: StoryItem
  readonly openedAt: string | null
}

function Item({ item: { text, why, quotes, steps }, openedAt }: ItemProps) {
  const [first] = steps
  const isAction = steps.some((step) => step.text !== null)
  return (
    <li className={styles.item}>
      <p className={styles.head}>
        <span className={styles.title}>{withLocalTimes(text)}</span>
        {first !== undefined && !isAction && <At at={first.at} openedAt={openedAt} />}
      </p>
      {why !== null && <p className={styles.why}>Because {withLocalTimes(why)}.</p>}
      {quotes.map((quote, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same words may be said twice, and the order never changes.
        <blockquote key={index} className={styles.quote}>
          {quote}
        </blockquote>
      ))}
      {isAction && <Steps steps={steps} openedAt={openedAt} />}
    </li>
  )
}

function Steps(props: { readonly steps: readonly StoryStep[]; readonly openedAt: string | null }) {
  return (
    <ol className={styles.steps}>
      {props.steps.map(({ id, at, text }) => (
        <li key={id}>
          {withLocalTimes(text ?? '')} <At at={at} openedAt={props.openedAt} />
        </li>
      ))}
    </ol>
  )
}

/** With the day only where it is another than that of the opening: a story is read long after, and on paper. */
function At({ at, openedAt }: { readonly at: string; readonly openedAt: string | null }) {
  const atMs = Date.parse(at)
  return (
    <time className={styles.at} dateTime={at} title={at}>
      {openedAt === null ? formatMoment(atMs) : formatTime(atMs, Date.parse(openedAt))}
    </time>
  )
}
