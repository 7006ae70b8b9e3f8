// views/manage/first-use: the first steps, shown while nothing is monitored and until they are finished: watch something,
// tell somebody, see it fail and recover. If the page may not write, an address gives the commands to copy. Loaded only
// when there is a step to show.
import { useId } from 'react'
import { Button } from '../../../components/button.tsx'
import { Panel } from '../../../components/panel.tsx'
import { StatusGlyph } from '../../../components/status.tsx'
import { useMay } from '../../../data/may.ts'
import { useOverview } from '../../../data/overview.ts'
import { useQueues } from '../../../data/queues.ts'
import { bodyOf } from '../../../data/reading.ts'
import styles from './first-use.module.css'
import { PracticeStep } from './practice-step.tsx'
import { finishSteps, useProgress } from './progress.ts'
import { TellStep } from './tell-step.tsx'
import { WatchStep } from './watch-step.tsx'
import { WithCommands } from './with-commands.tsx'

export default function FirstUse() {
  const mayCreate = useMay('CreateMonitor')
  const progress = useProgress()
  const total = bodyOf(useOverview())?.total ?? 0
  const destinations = bodyOf(useQueues())?.destinations ?? []
  if (!mayCreate) return <WithCommands />
  // What was made elsewhere counts, and what is no longer there does not.
  const told = progress.told ?? (destinations.map(({ name }) => name).join(', ') || null)
  const steps = [
    {
      title: 'Watch something',
      isDone: total > 0,
      content: <WatchStep total={total} watched={progress.watched} />,
    },
    { title: 'Tell somebody', isDone: told !== null, content: <TellStep told={told} /> },
    { title: 'See it fail and recover', isDone: false, content: <PracticeStep /> },
  ]
  const current = steps.findIndex(({ isDone }) => !isDone)
  return (
    <Panel title="First steps" aside={`${current} of ${steps.length} done`}>
      <ol className={styles.steps}>
        {steps.map(({ title, isDone, content }, index) => (
          <Step key={title} title={title} isDone={isDone} isCurrent={index === current}>
            {(isDone || index === current) && content}
          </Step>
        ))}
      </ol>
      {total > 0 && !progress.practises && (
        <Button weight="quiet" onClick={finishSteps}>
          Leave the first steps
        </Button>
      )}
    </Panel>
  )
}

interface StepProps {
  readonly title: string
  readonly isDone: boolean
  readonly isCurrent: boolean
  readonly children: React.ReactNode
}

function Step({ title, isDone, isCurrent, children }: StepProps) {
  const id = useId()
  return (
    <li className={isCurrent ? styles.current : undefined} aria-current={isCurrent ? 'step' : undefined}>
      <h3 className={styles.title} id={id}>
        {title} {isDone && <StatusGlyph status="up" />}
        {isDone && <span className="visually-hidden">, done</span>}
      </h3>
      {children}
    </li>
  )
}
