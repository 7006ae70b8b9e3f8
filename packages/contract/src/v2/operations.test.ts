import { Compile } from 'typebox/compile'
import { describe, expect, it } from 'vitest'
import { additionNames } from './additions.ts'
import { addedKinds } from './kinds.ts'
import { limits } from './limits.ts'
import type { V2Operation } from './operations/parts.ts'
import { operationsOn } from './operations/resources.ts'
import {
  contractOperationNames,
  defaultOperationNames,
  isAddition,
  isMutation,
  type OperationName,
  operationNames,
  operations,
  successOf,
} from './operations.ts'
import { commonProblems, problems } from './problems.ts'
import { nameOf } from './wire/wire-type.ts'
import { wireTypes } from './wire-types.ts'

/** Name, method, path, body and answer, typed from the contract and not from the table under test. */
const contract = `
ListMonitors GET /api/v2/monitors - MonitorList
CreateMonitor POST /api/v2/monitors Monitor Monitor
GetMonitor GET /api/v2/monitors/{id} - Monitor
ReplaceMonitor PUT /api/v2/monitors/{id} Monitor Monitor
PatchMonitor PATCH /api/v2/monitors/{id} MergePatch Monitor
DeleteMonitor DELETE /api/v2/monitors/{id} - Operation
ListNotificationEndpoints GET /api/v2/notification-endpoints - NotificationEndpointList
CreateNotificationEndpoint POST /api/v2/notification-endpoints NotificationEndpoint NotificationEndpoint
GetNotificationEndpoint GET /api/v2/notification-endpoints/{id} - NotificationEndpoint
ReplaceNotificationEndpoint PUT /api/v2/notification-endpoints/{id} NotificationEndpoint NotificationEndpoint
PatchNotificationEndpoint PATCH /api/v2/notification-endpoints/{id} MergePatch NotificationEndpoint
DeleteNotificationEndpoint DELETE /api/v2/notification-endpoints/{id} - Operation
ListNotificationGroups GET /api/v2/notification-groups - NotificationGroupList
CreateNotificationGroup POST /api/v2/notification-groups NotificationGroup NotificationGroup
GetNotificationGroup GET /api/v2/notification-groups/{id} - NotificationGroup
ReplaceNotificationGroup PUT /api/v2/notification-groups/{id} NotificationGroup NotificationGroup
PatchNotificationGroup PATCH /api/v2/notification-groups/{id} MergePatch NotificationGroup
DeleteNotificationGroup DELETE /api/v2/notification-groups/{id} - Operation
ListCredentials GET /api/v2/credentials - CredentialList
CreateCredential POST /api/v2/credentials Credential Credential
GetCredential GET /api/v2/credentials/{id} - Credential
ReplaceCredential PUT /api/v2/credentials/{id} Credential Credential
PatchCredential PATCH /api/v2/credentials/{id} MergePatch Credential
DeleteCredential DELETE /api/v2/credentials/{id} - Operation
ListJobTypes GET /api/v2/job-types - JobTypeList external_jobs
CreateJobType POST /api/v2/job-types JobType JobType external_jobs
GetJobType GET /api/v2/job-types/{id} - JobType external_jobs
ReplaceJobType PUT /api/v2/job-types/{id} JobType JobType external_jobs
DeleteJobType DELETE /api/v2/job-types/{id} - Operation external_jobs
ListIncidents GET /api/v2/incidents - IncidentList
GetIncident GET /api/v2/incidents/{id} - Incident
ListActions GET /api/v2/actions - ActionList
GetAction GET /api/v2/actions/{id} - Action
AcknowledgeIncident POST /api/v2/incidents/{id}/acknowledge ControlRequest Incident
DismissIncident POST /api/v2/incidents/{id}/dismiss ControlRequest Incident
ReopenIncident POST /api/v2/incidents/{id}/reopen ControlRequest Incident
SnoozeMonitor POST /api/v2/monitors/{id}/snooze ControlRequest Operation
UnsnoozeMonitor POST /api/v2/monitors/{id}/unsnooze ControlRequest Operation
RecoverMonitor POST /api/v2/monitors/{id}/recover ControlRequest Operation
ReviewAction POST /api/v2/actions/{id}/review ControlRequest Action
PreflightCollection POST /api/v2/collections/preflight PreflightRequest Preflight
CreateOperation POST /api/v2/operations OperationCreateRequest Operation
UploadOperation PUT /api/v2/operations/{id}/items UploadRequest Operation
ValidateOperation POST /api/v2/operations/{id}/validate - Preflight
ActivateOperation POST /api/v2/operations/{id}/activate - Operation
CancelOperation POST /api/v2/operations/{id}/cancel - Operation
GetOperation GET /api/v2/operations/{id} - Operation
GetState GET /api/v2/state - State
GetHistory GET /api/v2/history - EventList
GetSLO GET /api/v2/slo - SLOView
GetQueues GET /api/v2/queues - QueueList
GetPools GET /api/v2/pools - PoolList
GetSystems GET /api/v2/systems - SystemList
GetConfig GET /api/v2/config - RuntimeConfig
GetReady GET /api/v2/readyz - Health
GetLive GET /api/v2/healthz - Health
GetMetrics GET /api/v2/metrics - Metrics
GetCapabilities GET /api/v2/discovery - Capabilities
GetVersion GET /api/v2/version - Version
ExplainResource GET /api/v2/schemas/{id} - Explanation
ListWorkers GET /api/v2/external-workers - WorkerObservationList external_jobs
WorkerPoll POST /api/v2/external-workers/poll PollRequest Assignments external_jobs
WorkerStart POST /api/v2/external-workers/start StartRequest StartResponse external_jobs
WorkerHeartbeat POST /api/v2/external-workers/heartbeat HeartbeatRequest HeartbeatResponse external_jobs
WorkerResult POST /api/v2/external-workers/result Outcome Receipt external_jobs
WorkerLateEvidence POST /api/v2/external-workers/late-evidence LateEvidenceRequest Receipt external_jobs`
  .trim()
  .split('\n')

const everything: readonly (readonly [OperationName, V2Operation])[] = operationNames.map((name) => [
  name,
  operations[name],
])
/** The contract alone: what stands beside it is counted apart. */
const table = everything.filter(([name]) => !isAddition(name))

function lineOf(name: string, operation: V2Operation): string {
  const body = operation.body === undefined ? '-' : nameOf(operation.body.schema)
  const answered = nameOf(successOf(operation).answer.schema!)
  const build = operation.build === undefined ? '' : ` ${operation.build}`
  return `${name} ${operation.method} ${operation.path} ${body} ${answered}${build}`
}

describe('the table of operations', () => {
  it('has 66 operations, 55 of them without external jobs', () => {
    expect(contractOperationNames).toHaveLength(66)
    expect(defaultOperationNames.filter((name) => !isAddition(name))).toHaveLength(55)
  })

  it('has the additions of Pulseward beside them', () => {
    const onKinds = Object.keys(operationsOn(addedKinds))
    expect(operationNames.filter(isAddition)).toEqual([
      'ListOperations',
      'AddIncidentNote',
      'TryCheck',
      'TryNotification',
      'CreateSignInLink',
      'GetPracticeTarget',
      'SwitchPracticeTarget',
      ...onKinds,
      'GetShifts',
      'CreatePushKey',
      'ExplainMonitor',
      'ExplainIncident',
      'ExplainAction',
    ])
    expect(operationNames).toHaveLength(66 + additionNames.length)
  })

  it('is the contract, line by line', () => {
    expect(table.map(([name, operation]) => lineOf(name, operation)).sort()).toEqual([...contract].sort())
  })

  it('gives every method and path to one operation only', () => {
    const routes = everything.map(([, operation]) => `${operation.method} ${operation.path}`)
    expect(new Set(routes).size).toBe(routes.length)
  })

  it.each(everything)('%s declares exactly the parameters of its path', (_name, operation) => {
    const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter)
    expect(Object.keys(operation.pathParameters?.properties ?? {})).toEqual(inPath)
    expect(operation.pathParameters?.required ?? []).toEqual(inPath)
  })

  it.each(everything)('%s has one answer, with a named type, and a named body', (_name, operation) => {
    expect(Object.keys(operation.answers)).toHaveLength(1)
    const used = [successOf(operation).answer.schema!, ...(operation.body ? [operation.body.schema] : [])]
    for (const schema of used) expect(Object.values(wireTypes)).toContain(schema)
  })

  it.each(everything)('%s links only to operations and parameters that exist', (_name, operation) => {
    for (const [target, parameters] of Object.entries(successOf(operation).answer.links ?? {})) {
      const linked: V2Operation = operations[target as OperationName]
      const known = { ...linked.pathParameters?.properties, ...linked.headers?.properties }
      expect(Object.keys(parameters).sort()).toEqual(Object.keys(known).sort())
    }
  })

  it.each(everything)('%s names only problems of the catalogue, each once', (_name, operation) => {
    expect(new Set(operation.problems).size).toBe(operation.problems.length)
    for (const code of operation.problems) expect(problems).toHaveProperty(code)
  })
})

describe('preconditions and parameters', () => {
  const withHeader = (header: string) =>
    table.filter(([, { headers }]) => headers?.properties[header]).map(([name]) => name)

  it('asks If-None-Match of the five resource creates only', () => {
    expect(withHeader('If-None-Match').sort()).toEqual([
      'CreateCredential',
      'CreateJobType',
      'CreateMonitor',
      'CreateNotificationEndpoint',
      'CreateNotificationGroup',
    ])
  })

  it('asks If-Match of every replace, patch, delete and control', () => {
    const expected = table
      .filter(([, { method, path }]) => /^(PUT|PATCH|DELETE)$/.test(method) && path.endsWith('/{id}'))
      .map(([name]) => name)
    const controls = contract
      .filter((line) => line.includes(' ControlRequest '))
      .map((line) => line.split(' ')[0])
    expect(controls).toHaveLength(7)
    expect(withHeader('If-Match').sort()).toEqual([...expected, ...controls].sort())
  })

  it('requires the precondition that it asks for', () => {
    for (const [, { headers }] of table) {
      if (headers) expect(headers.required).toEqual(Object.keys(headers.properties))
    }
  })

  it('gives every list the four list parameters', () => {
    const lists = table.filter(([, operation]) =>
      nameOf(successOf(operation).answer.schema!)?.endsWith('List'),
    )
    expect(lists).toHaveLength(12)
    for (const [, { queryParameters }] of lists) {
      expect(Object.keys(queryParameters!.properties)).toEqual(['cursor', 'limit', 'selector', 'monitorID'])
    }
  })

  it('filters resources by selector, and incidents, actions and history by monitor', () => {
    const filtered = (filter: string) =>
      table.filter(([, { filters }]) => filters?.includes(filter as 'selector')).map(([name]) => name)
    expect(filtered('selector')).toEqual([
      'ListMonitors',
      'ListNotificationEndpoints',
      'ListNotificationGroups',
      'ListCredentials',
      'ListJobTypes',
    ])
    expect(filtered('monitorID')).toEqual(['ListIncidents', 'ListActions', 'GetHistory'])
    for (const [, { filters, problems }] of table)
      expect(problems.includes('unsupportedFilter')).toBe(filters !== undefined)
  })

  it('refuses a limit of nothing and one above 500', () => {
    const query = Compile(operations.ListMonitors.queryParameters)
    expect([0, 1, 500, 501, 1.5].map((limit) => query.Check({ limit }))).toEqual([
      false,
      true,
      true,
      false,
      false,
    ])
    expect(limits.listLimit).toBe(500)
  })

  it('takes merge patches with their own content type and everything else as JSON', () => {
    for (const [, { method, body }] of table) {
      if (body === undefined) continue
      const expected = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
      expect(body.mediaType).toBe(expected)
    }
  })

  it('takes 4 MiB of uploads and 1 MiB of everything else', () => {
    for (const [name, { body }] of table) {
      if (body === undefined) continue
      expect(body.maxBytes).toBe(name === 'UploadOperation' ? 4_194_304 : 1_048_576)
    }
  })

  it('answers a create with 201 and a Location, everything else with 200', () => {
    for (const [name, operation] of table) {
      const { status, answer } = successOf(operation)
      expect([name, status]).toEqual([name, name.startsWith('Create') ? 201 : 200])
      expect('Location' in answer.headers!.properties).toBe(status === 201)
    }
  })

  it('gives single resources an ETag, writes an operation, and what may still run a Retry-After', () => {
    const withHeader = (header: string) =>
      table
        .filter(([, operation]) => successOf(operation).answer.headers!.properties[header] !== undefined)
        .map(([name]) => name)
    const isWorkers = (name: string) => name.startsWith('Worker')
    expect(withHeader('X-Request-ID')).toHaveLength(66)
    expect(withHeader('X-Operation-ID')).toEqual(
      table
        .filter(
          ([name, { method }]) => method !== 'GET' && name !== 'PreflightCollection' && !isWorkers(name),
        )
        .map(([name]) => name),
    )
    const single = /^(Create|Get|Replace|Patch)(Monitor|Notification\w+|Credential|JobType|Incident|Action)$/
    expect(withHeader('ETag')).toEqual(
      contractOperationNames.filter(
        (name) => single.test(name) || /^(Acknowledge|Dismiss|Reopen|Review)/.test(name),
      ),
    )
    const mayRun = /^(Delete|Snooze|Unsnooze|Recover|Upload|Validate|Activate|Cancel)|^GetOperation$/
    expect(withHeader('Retry-After')).toEqual(contractOperationNames.filter((name) => mayRun.test(name)))
  })

  it('counts everything but GET as a mutation', () => {
    for (const [, operation] of table) expect(isMutation(operation)).toBe(operation.method !== 'GET')
  })
})

describe('problems', () => {
  const answering = (code: string) =>
    table.filter(([, operation]) => operation.problems.some((one) => one === code)).map(([name]) => name)

  it('has writes of what a fleet file may manage refused where it does', () => {
    const kinds = ['Monitor', 'NotificationEndpoint', 'NotificationGroup']
    const expected = kinds.flatMap((kind) => [`Replace${kind}`, `Patch${kind}`, `Delete${kind}`])
    expect(answering('managedByFile').sort()).toEqual(expected.sort())
  })

  it('knows 501 only for what needs external jobs', () => {
    const optional = table.filter(([, { build }]) => build === 'external_jobs').map(([name]) => name)
    expect(optional).toHaveLength(11)
    expect(answering('featureUnavailable')).toEqual(optional)
  })

  it('has 422 for every body, and 428 and 412 for every precondition', () => {
    for (const [name, { body, headers }] of table) {
      expect([name, answering('invalidResource').includes(name)]).toEqual([name, body !== undefined])
      expect([name, answering('preconditionRequired').includes(name)]).toEqual([name, headers !== undefined])
      expect([name, answering('versionConflict').includes(name)]).toEqual([name, headers !== undefined])
    }
  })

  it('uses every code of the catalogue', () => {
    const used = new Set<string>([...commonProblems, ...table.flatMap(([, operation]) => operation.problems)])
    expect(Object.keys(problems).filter((code) => !used.has(code))).toEqual([])
  })
})
