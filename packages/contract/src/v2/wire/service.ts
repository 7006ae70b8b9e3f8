// v2/wire/service.ts: what a client may want to know of the service before it relies on it.
import { type Static, Type } from 'typebox'
import { storeModes } from '../../v1/values.ts'
import { SLOView } from './slo.ts'
import { Pool, Queue, System } from './telemetry.ts'
import { count, duration, flag, listing, oneOf, text, timestamp, wireType } from './wire-type.ts'

export const Metrics = wireType('Metrics', 'All observations of the controller at one moment.', {
  generatedAt: timestamp('When this was read.'),
  queues: Type.Optional(listing(Queue, 'Its queues.')),
  pools: Type.Optional(listing(Pool, 'Its pools.')),
  systems: Type.Optional(listing(System, 'Its stages.')),
  slo: Type.Optional(SLOView),
})

export const RuntimeConfig = wireType('RuntimeConfig', 'Public settings.', {
  storageMode: Type.Optional(oneOf(storeModes, 'Where it keeps durable state.')),
  historyRetention: Type.Optional(duration('How long events are kept.')),
  queueCapacity: Type.Optional(count('How many may wait in a queue.')),
  readOnly: Type.Optional(flag('Whether writes are refused.')),
  sloWindow: Type.Optional(duration('The length of the SLO window.')),
})

export const Health = wireType('Health', 'Readiness or liveness of the service, not of its targets.', {
  available: flag('Whether it is ready, or alive.'),
  reason: Type.Optional(text('Why it is not.')),
  generatedAt: Type.Optional(timestamp('When this was read.')),
})

export const Capabilities = wireType('Capabilities', 'What this service can do.', {
  apiVersions: listing(Type.String(), 'Versions of the API that it serves.'),
  drivers: Type.Record(Type.String(), Type.Array(Type.String()), {
    description: 'Drivers by kind: check, recovery, notification.',
  }),
  resources: listing(Type.String(), 'Kinds of resources that it serves.'),
  patchTypes: listing(Type.String(), 'Media types of patches.'),
})

export const Version = wireType('Version', 'Which service this is.', {
  version: text('The version of the service.'),
  commit: Type.Optional(text('The commit that it was made from.')),
  sourceTime: Type.Optional(timestamp('When that commit was made.')),
  runtimeVersion: Type.Optional(text('The version of its runtime.')),
  storageFormat: Type.Optional(count('The version of the stored format that it writes.')),
})

export const Explanation = wireType('Explanation', 'A kind of resource or a driver, explained.', {
  resource: text('What is explained.'),
  description: text('What it is, in words.'),
  schema: Type.Unknown({ description: 'Its JSON Schema.' }),
})

export type Metrics = Static<typeof Metrics>
export type RuntimeConfig = Static<typeof RuntimeConfig>
export type Health = Static<typeof Health>
export type Capabilities = Static<typeof Capabilities>
export type Version = Static<typeof Version>
export type Explanation = Static<typeof Explanation>
