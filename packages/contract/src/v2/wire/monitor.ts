// v2/wire/monitor.ts: what is watched, how, and what is known about it.
import { type Static, Type } from 'typebox'
import { checkOutcomes, pushStates } from '../../v1/values.ts'
import { Audience } from './audience.ts'
import { DriverConfig } from './driver-config.ts'
import { severities } from './escalation-page.ts'
import { observedStatus, resourceType } from './resource.ts'
import {
  count,
  duration,
  flag,
  identifier,
  listing,
  listOf,
  Measurement,
  oneOf,
  revision,
  text,
  timestamp,
  wireType,
} from './wire-type.ts'

export const failsWhenWords = ['any', 'majority', 'all'] as const

export const CheckSpec = wireType('CheckSpec', 'How and how often the target is checked.', {
  driver: DriverConfig,
  interval: Type.Optional(
    duration('Time between two checks, at least 1s; required, except for a push check, which has none.'),
  ),
  timeout: Type.Optional(
    duration('Time that a check may take, at most the interval; required, except for a push check.'),
  ),
  unhealthyThreshold: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1000, description: 'Failures in a row before action is taken.' }),
  ),
  healthyThreshold: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1000, description: 'Successes in a row that count as recovered.' }),
  ),
  retries: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 10,
      description: 'Further tries within the same check and timeout.',
    }),
  ),
  locations: Type.Optional(
    listing(
      identifier('A location.'),
      'Where it is checked: locations of probes, and local, which is the service itself and the default. Not for a push check or a job type.',
      { minItems: 1, maxItems: 16 },
    ),
  ),
  failsWhen: Type.Optional(
    Type.Union([oneOf(failsWhenWords, 'How many.'), Type.Integer({ minimum: 1, maximum: 16 })], {
      description:
        'At how many of its locations a check has to fail to count as failed: any, majority, all, or a number; majority unless given. Only with more than one location.',
    }),
  ),
})

export const RecoverySpec = wireType('RecoverySpec', 'An action tried once, before an incident opens.', {
  driver: DriverConfig,
  timeout: Type.Optional(duration('Time that the action may take.')),
  settle: Type.Optional(duration('Time after an accepted action in which checks do not count.')),
})

const references = (description: string) => listing(identifier('An id.'), description, { maxItems: 256 })

export const AlertRule = wireType('AlertRule', 'Who is notified when a monitor takes on a color.', {
  dispatch: Type.Optional(flag('Whether notifications are sent; true unless given.')),
  endpointRefs: Type.Optional(references('Single endpoints.')),
  groupRefs: Type.Optional(
    references('Groups of endpoints. A destination that is named twice is notified once.'),
  ),
})

export const MaintenanceWindow = wireType(
  'MaintenanceWindow',
  'A time in which no incident opens and no recovery runs: either cron and duration, or start and end.',
  {
    name: Type.Optional(
      text('What people call it, named when it begins and ends.', {
        minLength: 1,
        maxLength: 128,
      }),
    ),
    start: Type.Optional(timestamp('When the window begins.')),
    end: Type.Optional(timestamp('When it ends.')),
    cron: Type.Optional(text('When a window begins, as a cron expression.', { maxLength: 128 })),
    duration: Type.Optional(duration('How long each window lasts.')),
    timezone: Type.Optional(text('A time zone such as Europe/Berlin; UTC unless given.', { maxLength: 64 })),
  },
)

const alertRules = Type.Object(
  {
    red: Type.Optional(AlertRule),
    yellow: Type.Optional(AlertRule),
    green: Type.Optional(AlertRule),
    cyan: Type.Optional(AlertRule),
    gray: Type.Optional(AlertRule),
  },
  {
    additionalProperties: false,
    description:
      'Rules by color. Red: failed. Yellow: warning. Green: recovered. Cyan: recovery accepted. Gray: maintenance.',
  },
)

export const MonitorSpec = wireType(
  'MonitorSpec',
  'What is wanted of a monitor. Shown as it was written, without defaults.',
  {
    enabled: Type.Optional(flag('A disabled monitor is not checked; true unless given.')),
    check: CheckSpec,
    recovery: Type.Optional(RecoverySpec),
    notifications: Type.Optional(alertRules),
    maintenance: Type.Optional(listing(MaintenanceWindow, 'Times of maintenance.', { maxItems: 16 })),
    tags: Type.Optional(
      listing(Type.String({ minLength: 1, maxLength: 64 }), 'Words to find it by.', { maxItems: 64 }),
    ),
    dependsOn: Type.Optional(references('Monitors that this one depends on.')),
    policyRef: Type.Optional(
      identifier(
        'The escalation policy that tells people of its incidents; unless given, that of the first route that matches and names one.',
      ),
    ),
    severity: Type.Optional(oneOf(severities, 'How bad its red is; critical unless given.')),
    repeat: Type.Optional(
      duration(
        'How often red is sent again while an incident is open, not acknowledged and not dismissed; never unless given.',
      ),
    ),
  },
)

export const healthStates = ['unknown', 'healthy', 'warning', 'unhealthy'] as const

export const PushStatus = wireType('PushStatus', 'What is known of a job that reports by itself.', {
  state: oneOf(pushStates, 'new: it has not reported yet. late: a signal is due. down: it was missed.'),
  dueAt: Type.Optional(timestamp('When the next signal is expected; absent until the first one came.')),
  lastSignalAt: Type.Optional(timestamp('When the last signal came.')),
  previousKeyUsedAt: Type.Optional(timestamp('When the key before the present one was last used.')),
  openRuns: count('Runs that started and have not ended.'),
  hint: Type.Optional(text('What looks wrong with its schedule.')),
})

export const LocationStatus = wireType('LocationStatus', 'What one location said last of a monitor.', {
  location: text('The location; local is the service itself.'),
  lastCheckedAt: Type.Optional(
    timestamp('When it was last heard of; absent if not since the service started.'),
  ),
  outcome: Type.Optional(
    oneOf(checkOutcomes, 'What its check came to; own_fault and no_data say nothing about the target.'),
  ),
  latencyMs: Type.Optional(
    Type.Number({ minimum: 0, description: 'How long it took; absent if nothing was measured.' }),
  ),
  reason: Type.Optional(text('Why it failed, warned or could not check.')),
})

export const MonitorStatus = wireType('MonitorStatus', 'What is known of a monitor.', {
  ...observedStatus,
  controlRevision: Type.Optional(
    revision(
      'There from the start; changes with a snooze, its end, unsnooze and recover. The value for If-Match of these.',
    ),
  ),
  statusRevision: Type.Optional(revision('Changes with every change of health.')),
  executionRevision: Type.Optional(revision('Fences the executions of this monitor.')),
  health: Type.Optional(
    oneOf(
      healthStates,
      'Up is healthy; degraded is warning; down, incident and verifying are unhealthy; unknown, disabled and snoozed are unknown.',
    ),
  ),
  lastCheckedAt: Type.Optional(timestamp('When the last check ended.')),
  lastCheckLatencyMs: Type.Optional(Measurement),
  snoozedUntil: Type.Optional(timestamp('When the snooze ends; absent when there is none.')),
  incidentID: Type.Optional(text('The open incident; absent when there is none.')),
  unknownActions: Type.Optional(count('Actions whose outcome is not known and not reviewed.')),
  audience: Type.Optional(Audience),
  push: Type.Optional(PushStatus),
  locations: Type.Optional(
    listing(LocationStatus, 'What each location said last; absent if the service itself is the only one.', {
      maxItems: 16,
    }),
  ),
})

export const Monitor = resourceType('Monitor', 'One thing to watch.', {
  spec: MonitorSpec,
  status: MonitorStatus,
})
export const MonitorList = listOf('MonitorList', Monitor)

export type Monitor = Static<typeof Monitor>
export type PushStatus = Static<typeof PushStatus>
export type MonitorList = Static<typeof MonitorList>
