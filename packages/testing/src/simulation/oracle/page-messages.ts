// simulation/oracle/page-messages.ts: compares what the service records and says of pages with the model: which message it
// is, and who and what it names.
import type { Action, PageNews } from '@pulseward/server/internal/deciding/actions/action.ts'
import type { Notification } from '@pulseward/server/internal/notify/driver.ts'
import type { StoredEvent } from '@pulseward/server/internal/store/store.ts'
import type { Expected, ModelAction } from '../model/monitor-state.ts'
import { isSameStep, type PageMessage, type PageStage } from '../model/on-call/page-state.ts'

const colors: Readonly<Record<PageStage, Notification['color']>> = {
  step: 'red',
  nobody: 'red',
  acknowledged: 'cyan',
  ended: 'green',
  missed: 'yellow',
}

/** Several messages to one destination may be queued at the same time. */
export function isSamePage({ page }: ModelAction, record: Action | undefined): boolean {
  const news = record?.page
  if (page === undefined || news === undefined) return page === undefined && news === undefined
  const isOfStep = page.stage !== 'step' && page.stage !== 'nobody'
  return (
    page.page === news.page &&
    page.stage === news.stage &&
    page.person === news.person &&
    page.start === news.start &&
    (isOfStep || isSameStep(page, news))
  )
}

export function isSamePhase(
  { page, policy, phase, people }: Extract<Expected, { type: 'escalation' }>,
  { detail }: StoredEvent,
): boolean {
  const said = detail as { page: string; policy: string; phase: string; people?: readonly string[] }
  return (
    said.page === page &&
    said.policy === policy &&
    said.phase === phase &&
    (said.people ?? []).join() === (people ?? []).join()
  )
}

export function pageDifferences(page: PageMessage, news: PageNews | undefined): readonly string[] {
  if (news === undefined) return ['no page']
  const { policy, severity, lead, others, by, monitors } = page
  const said = { policy: news.policy, severity: news.severity, lead: news.lead, others: news.others }
  const differences = Object.entries({ policy, severity, lead, others }).flatMap(([name, value]) =>
    JSON.stringify(said[name as keyof typeof said]) === JSON.stringify(value)
      ? []
      : [`${name} ${JSON.stringify(said[name as keyof typeof said])} for ${JSON.stringify(value)}`],
  )
  if ((news.by ?? null) !== by) differences.push(`acknowledged by ${news.by} for ${by}`)
  if (news.monitors < monitors.from || news.monitors > monitors.to)
    differences.push(`${news.monitors} monitors for ${monitors.from} to ${monitors.to}`)
  return differences
}

export function messageDifferences(page: PageMessage, said: Notification): readonly string[] {
  const { stage, person, lead, severity, round, step, by } = page
  const isOfStep = stage === 'step' || stage === 'nobody'
  const expected = {
    ...{ monitorId: lead, color: colors[stage], cause: 'page', severity, acknowledgedBy: by },
    ...{ stage, person, policy: page.policy },
    ...(isOfStep ? { round: round + 1, step: step + 1 } : {}),
  }
  const given: Readonly<Record<string, unknown>> = { ...said, ...said.page }
  return Object.entries(expected).flatMap(([name, value]) =>
    given[name] === value ? [] : [`${name} ${given[name]}, the model says ${value}`],
  )
}
