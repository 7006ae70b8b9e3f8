// editions/next-trials.ts: opens the trials of the edition next, over the networks and the credentials of the service.
import { driverShapes } from '../config/driver-shapes.ts'
import { ResourceValidator } from '../kinds/validate-resource.ts'
import { Trials } from '../trials/trials.ts'
import type { Foundation } from './edition.ts'

export function openTrials({ checkNetwork, clock, log, managing, outbound, settings }: Foundation): Trials {
  if (managing === null) throw new Error('the edition next manages resources')
  return new Trials({
    around: managing.registry,
    validator: new ResourceValidator(driverShapes),
    checkNetwork,
    outbound,
    clock,
    log,
    publicUrl: settings.public_url,
  })
}
