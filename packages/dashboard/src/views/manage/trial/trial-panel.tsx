// views/manage/trial/trial-panel.tsx: what a trial of the draft saw: its outcome in a sentence, the steps with their times,
// every assertion with what it met, and what else there was to see.
import type { v2 } from '@pulseward/contract'
import { useEffect, useRef } from 'react'
import { Fact, Facts } from '../../../components/facts.tsx'
import { Panel } from '../../../components/panel.tsx'
import { StatusGlyph } from '../../../components/status.tsx'
import { Time } from '../../../components/time.tsx'
import styles from './trial.module.css'
import { isGood, phaseWords, sentenceOf } from './trial.ts'
import type { Trial } from './use-trial.ts'

export function TrialPanel({ trial }: { readonly trial: Trial }) {
  const { words, isRunning, tried, isOld } = trial
  const outcome = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    if (tried !== null) outcome.current?.scrollIntoView({ block: 'start' })
  }, [tried])
  if (tried === null && !isRunning) return null
  return (
    <Panel title={words.title} aside={isOld && !isRunning ? 'the draft has changed since' : undefined}>
      <p role="status" ref={outcome} className={styles.outcome}>
        {isRunning || tried === null ? (
          `${words.running}, from the service.`
        ) : (
          <Judged isGood={isGood(tried)}>{sentenceOf(tried)}</Judged>
        )}
      </p>
      {!isRunning && tried?.kind === 'check' && <Seen seen={tried.seen} />}
    </Panel>
  )
}

/** Never by color alone. */
function Judged({ isGood: good, children }: { readonly isGood: boolean; readonly children: string }) {
  return (
    <>
      <StatusGlyph status={good ? 'up' : 'incident'} /> {children}
    </>
  )
}

function Seen({ seen }: { readonly seen: v2.CheckTrial }) {
  const { latencyMs, phases, observations, warning } = seen
  const assertions = observations.filter(({ met }) => met !== undefined)
  const facts = observations.filter(({ met }) => met === undefined)
  return (
    <div className={styles.parts}>
      {warning !== undefined && <p className={styles.warning}>Warning: {warning}.</p>}
      {assertions.length > 0 && (
        <section aria-label="Assertions">
          <h3 className={styles.part}>Assertions</h3>
          <Facts>
            {assertions.map(({ name, seen: value, expected, met = false }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two may be equal, and none ever moves.
              <Fact key={index} term={name}>
                <Judged isGood={met}>
                  {`${value}, ${met ? 'as expected' : 'not as expected'} (${expected ?? ''})`}
                </Judged>
              </Fact>
            ))}
          </Facts>
        </section>
      )}
      <section aria-label="Steps">
        <h3 className={styles.part}>Steps</h3>
        <Facts>
          {phases.map(({ phase, atMs }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a redirect repeats a step, and none ever moves.
            <Fact key={index} term={phaseWords[phase]}>
              {inMilliseconds(atMs)}
            </Fact>
          ))}
          <Fact term="In all">{inMilliseconds(latencyMs)}</Fact>
        </Facts>
      </section>
      {facts.length > 0 && (
        <section aria-label="What it saw">
          <h3 className={styles.part}>What it saw</h3>
          <Facts>
            {facts.map(({ name, seen: value }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two may be equal, and none ever moves.
              <Fact key={index} term={name}>
                {isTime.test(value) ? <Time at={value} /> : value}
              </Fact>
            ))}
          </Facts>
        </section>
      )}
    </div>
  )
}

/** As the service writes times, such as the end of a certificate. */
const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

function inMilliseconds(ms: number): string {
  return `${ms.toFixed(1)} ms`
}
