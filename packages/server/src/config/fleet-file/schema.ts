// config/fleet-file/schema.ts: the schema of a fleet file. Validation, the JSON Schema for editors and the
// reference page are all made from it and from the schemas of the drivers.
import type { Static, TObject, TSchema } from 'typebox'
import { closed, Duration, oneOf, Secret } from '../../platform/schema.ts'
import { Type } from '../../platform/schema-type.ts'
import { failsWhenWords, mostPlaces } from '../places.ts'
import type { Shape } from '../shape/shape.ts'
import { allowingReferences } from './credential-places.ts'
import { severities } from './on-call.ts'
import { PersonSchema, PolicySchema, ScheduleSchema } from './on-call-schema.ts'
import { identityInWords, identityPattern, Reference, referenceTo } from './reference.ts'
import { BadgeSchema, badgeKeyPattern, pageIdPattern, StatusPageSchema } from './status-page-schema.ts'

/** What a fleet file needs to know about a driver; the registries hold more. */
export interface DriverShape {
  readonly summary: string
  readonly config: TObject
  /** Optional packages that the driver needs. */
  readonly requires?: readonly string[]
  /** Whether it acts on the machine that the service runs on. */
  actsHere?(config: object): boolean
  /** Finds mistakes that the schema cannot express, in a configuration that fits it (an invalid URL, a bad regex). */
  inspect?(
    config: object,
  ): readonly { readonly path: readonly (string | number)[]; readonly message: string }[]
}

export interface DriverShapes {
  readonly checks: Readonly<Record<string, DriverShape>>
  readonly recoveries: Readonly<Record<string, DriverShape>>
  readonly notifiers: Readonly<Record<string, DriverShape>>
}

export const colors = ['red', 'yellow', 'green', 'cyan', 'gray'] as const
export type Color = (typeof colors)[number]

const Label = Type.String({ maxLength: 256 })
const AnyConfig = Type.Object({}, { description: "The driver's own options; see the page of the driver." })

const Destinations = closed(
  {
    groups: Type.Optional(Type.Array(Reference, { description: 'Groups of endpoints.' })),
    endpoints: Type.Optional(Type.Array(Reference, { description: 'Single endpoints.' })),
  },
  { description: 'Who is notified. A destination that is named twice is notified once.' },
)

const Notify = closed(
  {
    red: Type.Optional(Destinations),
    yellow: Type.Optional(Destinations),
    green: Type.Optional(Destinations),
    cyan: Type.Optional(Destinations),
    gray: Type.Optional(Destinations),
    repeat: Type.Optional(
      Type.String({
        ...Duration,
        description: 'Red is sent again this often while an incident is open and not acknowledged.',
      }),
    ),
  },
  {
    description:
      'Red: failed. Yellow: first failure or warning. Green: recovered. Cyan: recovery accepted. Gray: maintenance.',
  },
)

const checkPolicy = {
  interval: Type.Optional(
    Type.String({ ...Duration, title: 'Time between two checks, at least 1s.', default: '60s' }),
  ),
  timeout: Type.Optional(
    Type.String({
      ...Duration,
      title: 'Time that a check may take, at most the interval; a longer default is cut to it.',
      default: '10s',
    }),
  ),
  unhealthy_threshold: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1000,
      default: 3,
      description: 'Failures in a row before action is taken.',
    }),
  ),
  healthy_threshold: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1000,
      default: 2,
      description: 'Successes in a row that count as recovered.',
    }),
  ),
  retries: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 10,
      default: 0,
      description: 'Further tries within the same check and timeout.',
    }),
  ),
  locations: Type.Optional(
    Type.Array(Type.String({ pattern: identityPattern, description: `A location: ${identityInWords}.` }), {
      minItems: 1,
      maxItems: mostPlaces,
      description:
        'Where it is checked: locations of probes, and local, which is the service itself and the default.',
    }),
  ),
  fails_when: Type.Optional(
    Type.Union([Type.Enum([...failsWhenWords]), Type.Integer({ minimum: 1, maximum: mostPlaces })], {
      default: 'majority',
      description:
        'At how many of its locations a check has to fail to count as failed: any, majority, all, or a number.',
    }),
  ),
}

export const CheckPolicySchema = closed(checkPolicy, {
  description: 'Timing and thresholds for monitors that do not set their own.',
})

const Check = closed(
  { type: Type.String({ title: 'The driver.' }), ...checkPolicy, config: Type.Optional(AnyConfig) },
  { description: 'How and how often the target is checked.' },
)

const Recovery = closed(
  {
    type: Type.String({ title: 'The driver.' }),
    timeout: Type.Optional(
      Type.String({ ...Duration, title: 'Time that the action may take.', default: '20s' }),
    ),
    settle: Type.Optional(
      Type.String({
        ...Duration,
        title: 'Time after an accepted action in which checks do not count; one interval unless given.',
      }),
    ),
    config: Type.Optional(AnyConfig),
  },
  { description: 'An action tried once, before an incident opens.' },
)

const Moment = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,3})?)?(Z|[+-]\\d{2}:\\d{2})$',
  description: 'A moment with its offset, such as 2026-03-29T01:00:00Z.',
})

const MaintenanceWindow = closed(
  {
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 128,
        pattern: '^[^\\u0000-\\u001f\\u007f]+$',
        description:
          'What people call it, named when it begins and ends: at most 128 characters, no control characters.',
      }),
    ),
    cron: Type.Optional(
      Type.String({ maxLength: 128, description: 'When a window begins, as a cron expression.' }),
    ),
    duration: Type.Optional(Type.String({ ...Duration, title: 'How long each window lasts.' })),
    start: Type.Optional(Moment),
    end: Type.Optional(Moment),
    timezone: Type.Optional(
      Type.String({ maxLength: 64, default: 'UTC', description: 'A time zone such as Europe/Berlin.' }),
    ),
  },
  { description: 'Either cron and duration, or start and end.' },
)

export const MonitorSchema = closed(
  {
    id: Type.Optional(
      Type.String({
        pattern: identityPattern,
        description: `A stable identity: ${identityInWords}. Default: "name:" and the SHA-256 of the name.`,
      }),
    ),
    name: Type.String({
      minLength: 1,
      maxLength: 256,
      pattern: '^[^\\u0000-\\u001f\\u007f]+$',
      description: 'What people call it: at most 256 characters, no control characters.',
    }),
    enabled: Type.Optional(
      Type.Boolean({ default: true, description: 'A disabled monitor is not checked.' }),
    ),
    tags: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
        maxItems: 64,
        description: 'Words to find it by.',
      }),
    ),
    labels: Type.Optional(
      Type.Record(Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._/-]{0,62}$' }), Label, {
        additionalProperties: false,
        description: 'Names and values that routes match.',
      }),
    ),
    depends_on: Type.Optional(
      Type.Array(Reference, {
        maxItems: 256,
        description: 'Identities of the monitors that this one depends on.',
      }),
    ),
    check: Check,
    recovery: Type.Optional(Recovery),
    notify: Type.Optional(Notify),
    policy: Type.Optional(referenceTo('The escalation policy that tells people until somebody answers.')),
    severity: Type.Optional(oneOf(severities, 'How bad its red is.', { default: 'critical' })),
    maintenance: Type.Optional(
      Type.Array(MaintenanceWindow, {
        maxItems: 16,
        description: 'Times in which no incident opens and no recovery runs.',
      }),
    ),
  },
  { description: 'One thing to watch.' },
)

const CredentialSource = Type.Object(
  {
    env: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z_][A-Za-z0-9_]*$',
        description: 'The name of an environment variable.',
        secret: true,
      }),
    ),
    file: Type.Optional(
      Type.String({
        minLength: 1,
        secret: true,
        description: 'Path of a file; a final line end is not part of the value.',
      }),
    ),
  },
  {
    additionalProperties: false,
    description: 'Where the value comes from: { env: NAME } or { file: PATH }.',
    secret: true,
  },
)

const Endpoint = closed(
  { type: Type.String({ title: 'The driver.' }), config: Type.Optional(AnyConfig) },
  { description: 'One destination of notifications.' },
)

const Route = closed(
  {
    id: Type.Optional(
      Type.String({
        pattern: `^(?!routes\\.[0-9]+$)${identityPattern.slice(1)}`,
        description: 'A name of its own; otherwise it is called by its place, such as routes.0.',
      }),
    ),
    match: Type.Record(Type.String(), Label, {
      description: 'Labels that must all be equal; the key "tag" matches a tag.',
    }),
    colors: Type.Optional(
      Type.Array(Type.Enum([...colors]), {
        minItems: 1,
        description: 'Which colors are sent to its groups and endpoints.',
      }),
    ),
    groups: Type.Optional(Type.Array(Reference, { description: 'Groups of endpoints.' })),
    endpoints: Type.Optional(Type.Array(Reference, { description: 'Single endpoints.' })),
    policy: Type.Optional(
      referenceTo('The escalation policy of matching monitors that name none; the first such route counts.'),
    ),
  },
  { description: 'Sends colors of matching monitors to further destinations, or gives them a policy.' },
)

/** Everything in a fleet document except its monitors: small, read whole, merged over all files. */
export const FleetHeadSchema = closed({
  version: Type.Optional(Type.Literal(1, { description: 'The version of this format.' })),
  credentials: Type.Optional(
    Type.Record(Type.String({ pattern: identityPattern }), CredentialSource, {
      additionalProperties: false,
      description: 'Secrets by name, and where their values come from.',
    }),
  ),
  endpoints: Type.Optional(
    Type.Record(Type.String({ pattern: identityPattern }), Endpoint, {
      additionalProperties: false,
      description: 'Destinations of notifications by name.',
    }),
  ),
  groups: Type.Optional(
    Type.Record(Type.String({ pattern: identityPattern }), Type.Array(Reference, { minItems: 1 }), {
      additionalProperties: false,
      description: 'Endpoints that are notified together, by name.',
    }),
  ),
  people: Type.Optional(
    Type.Record(Type.String({ pattern: identityPattern }), PersonSchema, {
      additionalProperties: false,
      description: 'People who can be on call, by name.',
    }),
  ),
  schedules: Type.Optional(
    Type.Record(Type.String({ pattern: identityPattern }), ScheduleSchema, {
      additionalProperties: false,
      description: 'Who is on call when, by name.',
    }),
  ),
  policies: Type.Optional(
    Type.Record(Type.String({ pattern: identityPattern }), PolicySchema, {
      additionalProperties: false,
      description: 'What happens until a person takes care of an incident, by name.',
    }),
  ),
  status_pages: Type.Optional(
    Type.Record(Type.String({ pattern: pageIdPattern }), StatusPageSchema, {
      additionalProperties: false,
      description: 'Pages for customers, by the names that stand in their addresses.',
    }),
  ),
  badges: Type.Optional(
    Type.Record(Type.String({ pattern: badgeKeyPattern }), BadgeSchema, {
      additionalProperties: false,
      description:
        'Badges by their keys, 22 to 64 letters, digits, - and _: `pulseward badge-key create` makes one.',
    }),
  ),
  routes: Type.Optional(Type.Array(Route, { description: 'Rules that add destinations by label or tag.' })),
  defaults: Type.Optional(
    closed(
      {
        check: Type.Optional(CheckPolicySchema),
        notify: Type.Optional(Notify),
        policy: Type.Optional(referenceTo('The escalation policy of monitors that have no other.')),
      },
      { description: 'Defaults for monitors that do not set their own values; once per fleet.' },
    ),
  ),
  monitors: Type.Optional(Type.Array(Type.Unknown(), { description: 'What is watched.' })),
})

export type MonitorDocument = Static<typeof MonitorSchema>
export type FleetHead = Static<typeof FleetHeadSchema>
export type NotifyDocument = Static<typeof Notify>
export type CheckPolicyDocument = Static<typeof CheckPolicySchema>
export type MaintenanceDocument = Static<typeof MaintenanceWindow>

/** The JSON Schema of a whole fleet document for editors, with every driver's options spelled out by type. */
export function fleetFileJsonSchema(drivers: DriverShapes): object {
  const monitor = {
    ...MonitorSchema,
    properties: {
      ...MonitorSchema.properties,
      check: byType(Check, drivers.checks),
      recovery: byType(Recovery, drivers.recoveries),
    },
  }
  const { endpoints, monitors } = FleetHeadSchema.properties
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Pulseward fleet file',
    ...FleetHeadSchema,
    properties: {
      ...FleetHeadSchema.properties,
      endpoints: {
        ...endpoints,
        patternProperties: { [identityPattern]: byType(Endpoint, drivers.notifiers) },
      },
      monitors: { ...monitors, items: monitor },
    },
    $defs: { credential: Secret },
  }
}

function byType(shape: TObject, drivers: Readonly<Record<string, DriverShape>>): object {
  const needsConfig = (config: TSchema) => ((config as { required?: string[] }).required ?? []).length > 0
  return {
    ...shape,
    properties: { ...shape.properties, type: { ...shape.properties['type'], enum: Object.keys(drivers) } },
    allOf: Object.entries(drivers).map(([type, driver]) => ({
      // Requires `type`: a check without one would otherwise be validated against every driver at once.
      if: { properties: { type: { const: type } }, required: ['type'] },
      // biome-ignore lint/suspicious/noThenProperty: `then` is JSON Schema's keyword.
      then: {
        properties: { config: allowingReferences(driver.config as Shape) },
        ...(needsConfig(driver.config) ? { required: ['config'] } : {}),
      },
    })),
  }
}
