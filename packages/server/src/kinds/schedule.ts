// kinds/schedule.ts: the kind Schedule: who is on call when.
import type { v2 } from '@pulseward/contract'
import type { HoursDefinition, LayerDefinition, ScheduleDefinition } from '../config/fleet-file/on-call.ts'
import { scheduleDefinition } from '../config/fleet-file/on-call-definition.ts'
import { weekdays } from '../config/fleet-file/on-call-schema.ts'
import { missingFrom, missingOne } from './field-error.ts'
import { idErrors } from './judging.ts'
import { defineKind } from './kind.ts'
import { policiesNaming } from './named-in-fleet.ts'
import { onCallErrors, scheduleDocument } from './on-call-documents.ts'
import { keysOfKind } from './references.ts'

type Spec = v2.Schedule['spec']

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const weekMs = 7 * dayMs

export const scheduleKind = defineKind<'Schedule'>({
  names: ({ layers, overrides = [] }) =>
    keysOfKind('Person', [
      ...layers.flatMap(({ personRefs }) => personRefs),
      ...overrides.map(({ personRef }) => personRef),
    ]),
  judge:
    () =>
    ({ metadata, spec }, around) => [
      ...idErrors(metadata),
      ...onCallErrors('schedules', scheduleDocument(spec)),
      ...spec.layers.flatMap(({ personRefs }, index) =>
        missingFrom(around, 'Person', personRefs, `/spec/layers/${index}/personRefs`),
      ),
      ...(spec.overrides ?? []).flatMap(({ personRef }, index) =>
        missingOne(around, 'Person', personRef, `/spec/overrides/${index}/personRef`),
      ),
    ],
  head: {
    name: 'schedules',
    section: 'schedules',
    toFleet: (spec) => scheduleDefinition(scheduleDocument(spec)),
    toSpec: ({ timezone, layers, overrides, handoff }: ScheduleDefinition) => ({
      timezone,
      layers: layers.map(layerSpec),
      ...(overrides.length === 0
        ? {}
        : {
            overrides: overrides.map(({ fromMs, toMs, person }) => ({
              from: localText(fromMs),
              to: localText(toMs),
              personRef: person,
            })),
          }),
      ...(handoff === undefined ? {} : { handoff }),
    }),
  },
  usersIn: (running, id) => policiesNaming(running, 'schedule', id),
})

function layerSpec({ people, startMs, everyMs, hours }: LayerDefinition): Spec['layers'][number] {
  return {
    personRefs: [...people],
    start: localText(startMs),
    every: turnText(everyMs),
    ...(hours === null ? {} : { hours: hours.map(hoursSpec) }),
  }
}

function hoursSpec({ days, fromMinute, toMinute }: HoursDefinition) {
  return { days: days.map((day) => weekdays[day]!), from: timeText(fromMinute), to: timeText(toMinute) }
}

function localText(ms: number): string {
  return new Date(ms).toISOString().slice(0, 16)
}

function turnText(ms: number): string {
  if (ms % weekMs === 0) return `${ms / weekMs}w`
  return ms % dayMs === 0 ? `${ms / dayMs}d` : `${ms / hourMs}h`
}

/** A minute of the day as clocks show it. */
export function timeText(minute: number): string {
  const two = (value: number) => String(value).padStart(2, '0')
  return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`
}
