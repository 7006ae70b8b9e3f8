// views/on-call: who is on call now and in the next eight weeks, and overrides of that. The URL names the schedule and the
// person that are looked at.
import { type Config, sessionEditions, type v2 } from '@pulseward/contract'
import { useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { Loading } from '../../components/loading.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { PanelGroup } from '../../components/panel-group.tsx'
import { ReadingView } from '../../components/reading-view.tsx'
import { useConfig } from '../../data/config.ts'
import { useMay } from '../../data/may.ts'
import { useSchedules } from '../../data/on-call.ts'
import { bodyOf } from '../../data/reading.ts'
import { useSession } from '../../data/session.ts'
import { useV2 } from '../../data/v2-request.ts'
import { CalendarPanel } from './calendar-panel.tsx'
import { NowPanel } from './now-panel.tsx'
import styles from './on-call.module.css'
import { type OverrideAsked, OverrideDialog } from './override-dialog.tsx'
import { OverridesPanel } from './overrides-panel.tsx'
import { PersonPanel } from './person-panel.tsx'
import { clockOf } from './schedule-clock.ts'
import { onCallSentence } from './sentence.ts'

const servesSessions: ReadonlySet<Config['edition']> = new Set(sessionEditions)

export default function OnCall() {
  const session = useSession()
  const config = bodyOf(useConfig())
  if (config !== null && !servesSessions.has(config.edition))
    return (
      <Refusal>
        This edition shows who is on call by the command: pulseward oncall. The edition next shows it here.
      </Refusal>
    )
  if (session.kind === 'unknown') return <Loading what="The page" />
  if (session.kind !== 'signed-in') return <Refusal>Sign in to see who is on call.</Refusal>
  return <Shown />
}

function Refusal({ children }: { readonly children: string }) {
  return (
    <PageTitle tab="On call" note={children}>
      On call
    </PageTitle>
  )
}

function Shown() {
  const reading = useSchedules()
  const schedules = bodyOf(reading)?.items ?? null
  return (
    <>
      <PageTitle tab="On call">{schedules === null ? 'On call' : onCallSentence(schedules)}</PageTitle>
      <ReadingView reading={reading} what="The list of schedules">
        {({ items, nextCursor }) => <Schedules schedules={items} isCut={nextCursor !== undefined} />}
      </ReadingView>
    </>
  )
}

interface SchedulesProps {
  readonly schedules: readonly v2.Schedule[]
  readonly isCut: boolean
}

function Schedules({ schedules, isCut }: SchedulesProps) {
  const requests = useV2()
  const mayReplace = useMay('ReplaceSchedule')
  const { schedule: scheduleId, person: personId, look } = useLook()
  const [asked, setAsked] = useState<OverrideAsked | null>(null)
  const chosen = schedules.find(({ metadata }) => metadata.id === scheduleId) ?? schedules[0]
  const mayOverride = (schedule: v2.Schedule) =>
    mayReplace && schedule.metadata.managedBy !== 'file' && clockOf(schedule).isOwn
  const person = personId ?? chosen?.status?.onCall?.personRef ?? null
  return (
    <>
      <PanelGroup>
        <NowPanel
          schedules={schedules}
          isCut={isCut}
          chosen={chosen}
          onChoose={(id) => look({ schedule: id })}
        />
        {chosen !== undefined && (
          <div className={styles.columns}>
            <PanelGroup className={styles.column}>
              <CalendarPanel
                key={chosen.metadata.id}
                schedule={chosen}
                person={personId}
                onChoosePerson={(id) => look({ person: id })}
                onOverride={
                  mayOverride(chosen)
                    ? (stretch) => setAsked({ schedule: chosen, before: null, stretch })
                    : null
                }
              />
            </PanelGroup>
            <PanelGroup className={styles.column}>
              <OverridesPanel
                schedule={chosen}
                onChange={
                  mayOverride(chosen)
                    ? (before) => setAsked({ schedule: chosen, before, stretch: null })
                    : null
                }
              />
              <PersonPanel
                schedules={schedules}
                person={person}
                onChoose={(id) => look({ person: id })}
                mayOverride={mayOverride}
                onOverride={(schedule, stretch) => setAsked({ schedule, before: null, stretch })}
              />
            </PanelGroup>
          </div>
        )}
      </PanelGroup>
      {asked !== null && requests !== null && (
        <OverrideDialog asked={asked} requests={requests} onClose={() => setAsked(null)} />
      )}
    </>
  )
}

/** What is looked at, in the URL: another look replaces it, so that Back leaves the view. */
function useLook() {
  const search = useSearch()
  const [path, navigate] = useLocation()
  const now = new URLSearchParams(search)
  return {
    schedule: now.get('schedule'),
    person: now.get('person'),
    look(part: { readonly schedule: string } | { readonly person: string }) {
      const next = new URLSearchParams(search)
      for (const [name, value] of Object.entries(part)) next.set(name, value)
      navigate(`${path}?${next}`, { replace: true })
    },
  }
}
