// simulation/oracle/story-rules.ts: the story of an incident, as readers get it, has every event of the incident exactly
// once, in the order of the log, and nothing else. Which events are of an incident is found here in the log as it is on
// disk, independently of how the service reads it.
import type { NextHistoryEvent } from '@pulseward/contract'
import { storyOf } from '@pulseward/contract/v1/words'
import { nextEventView } from '@pulseward/server/internal/api/routes/history.ts'
import { IncidentEvents } from '@pulseward/server/internal/projection/incident-events.ts'
import type { EventPage, Store, StoredEvent } from '@pulseward/server/internal/store/store.ts'
import type { Random } from '../../random.ts'
import { count, type Tally } from '../tally.ts'
import type { Findings } from './findings.ts'
import type { LogRules } from './log-rules.ts'

export type StoryStore = Pick<Store, 'readEvents' | 'readIncident' | 'readAction'>
/** Each costs a walk over the log. */
const storiesRead = 100

type ReadEvents = EventPage['events']

export interface StoryRulesOptions {
  readonly findings: Findings
  readonly log: LogRules
  readonly tally: Tally
  /** A stream of its own: the other rules draw as if nobody read stories. */
  readonly random: Random
  readonly store: () => StoryStore
  /** A planted defect: what the reader gets in place of these events. */
  readonly change: (events: ReadEvents) => ReadEvents
}

export class StoryRules {
  readonly #options: StoryRulesOptions

  constructor(options: StoryRulesOptions) {
    this.#options = options
  }

  /** Reads the stories of incidents of the log, open and closed, after everything else: it interferes with nothing. */
  async judge(): Promise<void> {
    const { log, random } = this.#options
    const opened = log.events.filter(({ type }) => type === 'incident_opened')
    const some =
      opened.length <= storiesRead ? opened : opened.filter(() => random.chance(storiesRead / opened.length))
    for (const incident of some) await this.#judge(incident)
  }

  async #judge(incident: StoredEvent): Promise<void> {
    const { log, tally } = this.#options
    const expected = idsOf(log, incident)
    const read = await this.#read(incident.incidentId ?? '', log.events.length)
    if (read === null) return this.#note(incident, 'is not kept')
    count(tally.compared, 'stories')
    this.#compare(incident, expected, read)
  }

  async #read(id: string, upTo: number): Promise<ReadEvents | null> {
    const { store, random, change } = this.#options
    const incident = await store().readIncident(id)
    if (incident === null) return null
    const order = random.pick(['asc', 'desc'] as const)
    const events: ReadEvents[number][] = []
    for (let after: number | null = null; ; ) {
      // Every page is read anew, as by a client.
      const page = await new IncidentEvents(store(), incident).read({ order, upTo, after, limit: 7 })
      events.push(...page.events)
      if (!page.more) break
      after = page.last
    }
    return change(order === 'asc' ? events : events.reverse())
  }

  #compare(incident: StoredEvent, expected: readonly string[], events: ReadEvents): void {
    const { sections } = storyOf(events.map(nextEventView) as NextHistoryEvent[])
    const items = Object.values(sections)
    const told = items.flatMap((section) => section.flatMap(({ steps }) => steps.map(({ id }) => id)))
    const inLogOrder = told.toSorted((one, other) => Number(one) - Number(other))
    if (inLogOrder.join() !== expected.join())
      return this.#note(incident, `tells ${inLogOrder.join()}, and its events are ${expected.join()}`)
    const isOrdered = items.every(
      (section) =>
        rises(section.map(({ id }) => id)) && section.every(({ steps }) => rises(steps.map(({ id }) => id))),
    )
    if (!isOrdered) this.#note(incident, `tells its events in the order ${told.join()}`)
  }

  #note({ incidentId }: StoredEvent, words: string): void {
    this.#options.findings.note('stories', `the story of ${incidentId} ${words}`)
  }
}

/** The events that name the incident, the recovery that its opening names, or a notification about that recovery. */
function idsOf(
  { events, reasons }: Pick<LogRules, 'events' | 'reasons'>,
  { incidentId, monitorId, because }: StoredEvent,
): string[] {
  const recovery = because !== null && 'actionId' in because ? because.actionId : undefined
  const actions = new Set<string | null>()
  if (recovery !== undefined) {
    actions.add(recovery)
    for (const [id, reason] of reasons)
      if (reason?.kind === 'recovery_accepted' && reason.actionId === recovery) actions.add(id)
  }
  return events.flatMap((event, index) => {
    if (event.monitorId !== monitorId) return []
    const isOfIt = event.incidentId === null ? actions.has(event.actionId) : event.incidentId === incidentId
    return isOfIt ? [String(index + 1)] : []
  })
}

function rises(ids: readonly string[]): boolean {
  return ids.every((id, index) => index === 0 || Number(id) > Number(ids[index - 1]))
}
