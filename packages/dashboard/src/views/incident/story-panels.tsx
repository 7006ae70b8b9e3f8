// views/incident/story-panels.tsx: the sections of a story, each with its events in the order of the log. What checks,
// providers and people said is text.
import {
  type IncidentStory,
  type StoryItem,
  type StorySectionName,
  type StoryStep,
  storySections,
} from '@pulseward/contract/v1/words'
import { Empty } from '../../components/empty.tsx'
import { Panel } from '../../components/panel.tsx'
import { Time } from '../../components/time.tsx'
import { withLocalTimes } from '../../format/time.ts'
import styles from './incident.module.css'

const names = Object.keys(storySections) as StorySectionName[]

export function StoryPanels({ story: { sections } }: { readonly story: IncidentStory }) {
  return names.map((name) => (
    <Panel key={name} title={storySections[name].title}>
      {sections[name].length === 0 ? (
        <Empty>{storySections[name].nothing}</Empty>
      ) : (
        <ol className={styles.items}>
          {sections[name].map((item) => (
            <Item key={item.id} item={item} />
          ))}
        </ol>
      )}
    </Panel>
  ))
}

function Item({ item: { text, why, quotes, steps } }: { readonly item: StoryItem }) {
  const [first] = steps
  return (
    <li className={styles.item}>
      <p className={styles.head}>
        <span className={styles.title}>{withLocalTimes(text)}</span>
        {first !== undefined && (
          <span className={styles.at}>
            <Time at={first.at} />
          </span>
        )}
      </p>
      {why !== null && <p className={styles.why}>Because {withLocalTimes(why)}.</p>}
      {quotes.map((quote, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same words may be said twice, and the order never changes.
        <blockquote key={index} className={styles.quote}>
          {quote}
        </blockquote>
      ))}
      {steps.some(({ text: step }) => step !== null) && <Steps steps={steps} />}
    </li>
  )
}

function Steps({ steps }: { readonly steps: readonly StoryStep[] }) {
  return (
    <ol className={styles.steps}>
      {steps.map((step) => (
        <li key={step.id}>
          <span className={styles.text}>{withLocalTimes(step.text ?? '')}</span>
          <span className={styles.at}>
            <Time at={step.at} />
          </span>
        </li>
      ))}
    </ol>
  )
}
