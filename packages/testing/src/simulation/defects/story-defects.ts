// simulation/defects/story-defects.ts: incidents whose readers get a wrong story, or whose record lacks a part of it.
import type { EventPage } from '@pulseward/server/internal/store/store.ts'
import { type Defects, replace } from './defect.ts'

type Events = EventPage['events']

export const storyDefects: Defects = {
  'notes-left-out': {
    summary: 'The story of an incident is without its notes.',
    story: (events) => events.filter(({ type }) => type !== 'control_noted'),
  },
  'recovery-left-out': {
    summary: 'The story begins with the opening: the recovery that came before is missing.',
    story: (events) =>
      events.slice(
        Math.max(
          0,
          events.findIndex(({ type }) => type === 'incident_opened'),
        ),
      ),
  },
  'told-twice': {
    summary: 'An event is in the story twice, as where two pages overlap.',
    story: (events) => [...events, ...events.slice(-1)],
  },
  'told-backwards': {
    summary: 'The story has the newest event first.',
    story: (events): Events => events.toReversed(),
  },
  'of-another-incident': {
    summary: 'The story has an event that is of another incident.',
    story: (events) => events.map((event, index) => (index === 0 ? { ...event, position: 1 } : event)),
  },
  'digest-left-out': {
    summary: 'The story is without the digest that told of the incident.',
    story: (events) => events.filter(({ type }) => type !== 'incident_reported'),
  },
  'digest-outside': {
    summary: 'A digest is recorded for a monitor, but not for its incident.',
    engine: ({ journal }) =>
      replace(journal, 'addEvent', (addEvent) => (event) => {
        addEvent(event.type === 'incident_reported' ? { ...event, incidentId: null } : event)
      }),
  },
  'snooze-outside': {
    summary: 'A snooze does not name the incident that is open.',
    engine: ({ journal }) =>
      replace(journal, 'addEvent', (addEvent) => (event) => {
        addEvent(event.type === 'control_snoozed' ? { ...event, incidentId: null } : event)
      }),
  },
}
