// v2/wire/telemetry.ts: the stages of the controller, its queues and its pools, as they are now.
import { type Static, Type } from 'typebox'
import { pipelines } from '../../v1/values.ts'
import { count, flag, listOf, Measurement, oneOf, rate, text, timestamp, wireType } from './wire-type.ts'

export const Queue = wireType('Queue', 'A bounded queue between two stages.', {
  name: oneOf(pipelines, 'Its pipeline.'),
  depth: count('How many wait.'),
  capacity: count('How many may wait.'),
  oldestPendingMs: Type.Optional(Measurement),
  enqueuedPerSecond: Type.Optional(rate('How fast they come.')),
  completedPerSecond: Type.Optional(rate('How fast they are taken.')),
  drops: Type.Optional(count('How many did not fit.')),
  saturated: flag('Whether it is full.'),
  limitReason: Type.Optional(text('What limits it, in words.')),
})

export const Pool = wireType('Pool', 'Workers that take from a queue.', {
  name: oneOf(pipelines, 'Its pipeline.'),
  workers: count('How many there are.'),
  minimum: Type.Optional(count('How many there are at least.')),
  maximum: Type.Optional(count('How many there may be.')),
  busy: Type.Optional(count('How many are at work.')),
  modelRecommendation: Type.Optional(count('How many the sizing model wants.')),
  adjustmentReason: Type.Optional(text('Why it has its size, in words.')),
})

export const System = wireType('System', 'One stage of the controller.', {
  name: text('The stage.'),
  updates: Type.Optional(count('How often it ran.')),
  entitiesProcessed: Type.Optional(count('How much it handled.')),
  lastUpdateDurationMs: Type.Optional(Measurement),
  progressAt: Type.Optional(timestamp('When it made progress last.')),
})

export const QueueList = listOf('QueueList', Queue)
export const PoolList = listOf('PoolList', Pool)
export const SystemList = listOf('SystemList', System)

export type Queue = Static<typeof Queue>
export type Pool = Static<typeof Pool>
export type System = Static<typeof System>
export type QueueList = Static<typeof QueueList>
export type PoolList = Static<typeof PoolList>
export type SystemList = Static<typeof SystemList>
