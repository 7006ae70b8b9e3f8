// simulation/defects/control-defects.ts: defects in controls of incidents, monitors and actions.
import type { Action } from '@pulseward/server/internal/deciding/actions/action.ts'
import {
  controlRevisionOf,
  type Handling,
  type Health,
  incidentRevisionOf,
} from '@pulseward/server/internal/deciding/health/health.ts'
import type { EngineParts } from '@pulseward/server/internal/engine/engine-parts.ts'
import type { RequestTurn } from '@pulseward/server/internal/engine/engine-turn.ts'
import { type Defects, replace } from './defect.ts'

export const controlDefects: Defects = {
  'dismissal-forgotten': {
    summary: 'A dismissal cancels what is unsent, and later notifications go out.',
    engine: keepsHandling({ isDismissed: false }),
  },
  'acknowledgement-forgotten': {
    summary: 'Red is repeated although somebody has acknowledged the incident.',
    engine: ({ reminders, decider, health }) => {
      const forgotten = { acknowledged: null }
      replace(reminders, 'follow', (follow) => (decision) => {
        const steps = decision.steps.map((one) => {
          const state = withoutSaid(one.step.state, forgotten)
          return { ...one, step: { ...one.step, state } }
        })
        follow({ ...decision, steps })
      })
      replace(decider, 'decide', (decide) => (input, now) => {
        if (input.kind === 'monitor' && input.input.kind === 'repeat-due')
          health.keep(input.row, withoutSaid(health.of(input.row), forgotten))
        return decide(input, now)
      })
    },
  },
  'snoozed-checked': {
    summary: 'Checks go on while a monitor is snoozed.',
    engine: ({ checks }) => replace(checks, 'follow', () => () => {}),
  },
  'snooze-too-short': {
    summary: 'A snooze ends a minute before its deadline.',
    engine: ({ snoozes }) =>
      replace(snoozes, 'advance', (advance) => (turn, wallMs) => advance(turn, wallMs + 60_000)),
  },
  'snooze-for-ever': {
    summary: 'A snooze does not end at its deadline.',
    engine: ({ snoozes }) => replace(snoozes, 'advance', () => () => {}),
  },
  'recovered-again-and-again': {
    summary: 'It is not remembered when a recovery was asked for by hand.',
    engine: ({ health }) =>
      replace(health, 'keep', (keep) => (row, state) => {
        const control = state.control === null ? null : { ...state.control, recoveriesAt: [] }
        return keep(row, { ...state, control })
      }),
  },
  'review-replays': {
    summary: 'What is reviewed is queued again.',
    engine: ({ ledger }) =>
      replace(ledger, 'review', (review) => (actionId, found, now) => {
        const decision = review(actionId, found, now)
        const [event] = decision.events
        const reviewed = decision.actions.find(({ id }) => id === actionId)
        if (event === undefined || reviewed === undefined) return decision
        const id = `${actionId}-again`
        const again: Action = { ...reviewed, id, state: 'queued', outcome: null, review: null, revision: 1 }
        return {
          ...decision,
          actions: [...decision.actions, again],
          events: [...decision.events, { ...event, type: 'action_queued', actionId: id, actor: null }],
        }
      }),
  },
  'revision-ignored': {
    summary: 'A control is carried out on whatever revision there is.',
    controls: ({ engine, fleet, health }) =>
      replace(engine, 'applyControl', (apply) => (turn, control) => {
        if (control.verb === 'review') return apply(turn, control)
        const row = fleet.rowOf(control.monitorId)
        if (row < 0) return apply(turn, control)
        const present = health.of(row)
        const incident = present.episode?.incident ?? null
        const isOfIncident = 'incidentId' in control && control.verb !== 'recover'
        const ofIncident = incident === null ? control.revision : incidentRevisionOf(incident)
        return apply(turn, { ...control, revision: isOfIncident ? ofIncident : controlRevisionOf(present) })
      }),
  },
  'control-revisions-restart': {
    summary: 'The control revisions of a monitor that left and came back begin at 1 again.',
    engine: ({ identities }) =>
      replace(identities, 'dismiss', (dismiss) => (row, now) => dismiss(row, now, 0)),
  },
  'control-before-the-state': {
    summary: 'A control is carried out before the state of the previous process is restored.',
    controls: ({ engine }) =>
      replace(engine, 'request', (request) => async (unstored, work) => {
        if (engine.reading.isAdmitting) return request(unstored, work)
        return engine.turn((turn) => work(turn as RequestTurn))
      }),
  },
  'control-answered-early': {
    summary: 'A control is answered when it was decided, not when it is on disk.',
    controls: ({ engine }) =>
      replace(engine, 'request', (request) => async (unstored, work) => {
        void request(unstored, work)
        return 'stored'
      }),
  },
  'asker-forgotten': {
    summary: 'The event of a control does not say who has asked.',
    engine: ({ journal }) =>
      replace(journal, 'addEvent', (addEvent) => (event) => {
        addEvent(event.type.startsWith('control_') ? { ...event, actor: null } : event)
      }),
  },
}

/** Loses a part of what people said about an incident. */
function keepsHandling(forgotten: Partial<Handling>) {
  return ({ health }: EngineParts) =>
    replace(health, 'keep', (keep) => (row, state) => keep(row, withoutSaid(state, forgotten)))
}

function withoutSaid(state: Health, forgotten: Partial<Handling>): Health {
  const { episode } = state
  const incident = episode?.incident ?? null
  if (episode === null || incident === null || incident.handling === null) return state
  const handling = { ...incident.handling, ...forgotten }
  return { ...state, episode: { ...episode, incident: { ...incident, handling } } }
}
