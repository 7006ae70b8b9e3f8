// kinds/notification-endpoint.ts: the kind NotificationEndpoint: one destination of notifications.
import type { EndpointDefinition } from '../config/fleet-file/definition.ts'
import { endpointMistakes } from '../config/fleet-file/monitor-validator.ts'
import { asFieldError } from '../config/shape/explain.ts'
import { configWithReferences, runningDriver, shapeOf } from './driver-config.ts'
import { driverConfigOf } from './file-monitor.ts'
import { idErrors, notSaidBy, placeholderErrors, voiceFor, withoutRepeats } from './judging.ts'
import { defineKind } from './kind.ts'
import { jsonPointer } from './monitor-document.ts'
import { groupsWith, peopleWith, usersOfDestination } from './named-in-fleet.ts'
import { placedDrivers } from './placed-driver.ts'
import { driverErrors, valueErrors } from './validate-driver.ts'

const drivers = [{ category: 'notification', path: [] }] as const

export const notificationEndpointKind = defineKind<'NotificationEndpoint'>({
  drivers,
  judge:
    (shapes) =>
    ({ metadata, spec }, around) => {
      const [placed] = placedDrivers({ drivers }, spec, around.drivers)
      if (placed === undefined) return idErrors(metadata)
      const isOwn = shapeOf(placed.shapes, spec.type) !== null
      const config = configWithReferences(spec)
      const mistakes = isOwn ? endpointMistakes(shapes, { type: spec.type, config }, ['spec']) : []
      const ofDriver = driverErrors(placed, around)
      const errors = [
        ...idErrors(metadata),
        ...mistakes
          .map((mistake) => asFieldError(mistake, jsonPointer, voiceFor(mistake)))
          .filter(notSaidBy(ofDriver)),
        ...ofDriver,
        ...placeholderErrors(spec),
      ]
      if (!errors.some(({ field }) => field.startsWith('/spec'))) errors.push(...valueErrors(placed, around))
      return withoutRepeats(errors)
    },
  head: {
    name: 'endpoints',
    section: 'endpoints',
    toFleet: (spec, _named, { notifiers }) => runningDriver(spec, notifiers),
    toSpec: ({ type, config }: EndpointDefinition) => driverConfigOf(type, config),
  },
  usersIn: (running, id) => [
    ...groupsWith(running, id),
    ...peopleWith(running, id),
    ...usersOfDestination(running, 'endpoints', id),
  ],
})
