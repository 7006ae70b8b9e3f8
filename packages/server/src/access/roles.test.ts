// Every role against every operation of v2. The matrix is written out, and not derived from the table under test.
import { v2 } from '@pulseward/contract'
import { describe, expect, it } from 'vitest'
import { mayCall, mayReadV1, roles } from './roles.ts'

/** r: a reader may call it, o: an operator, w: a worker; a probe none. */
const matrix = `
r o -  ListMonitors
- o -  CreateMonitor
r o -  GetMonitor
- o -  ReplaceMonitor
- o -  PatchMonitor
- o -  DeleteMonitor
r o -  ListNotificationEndpoints
- o -  CreateNotificationEndpoint
r o -  GetNotificationEndpoint
- o -  ReplaceNotificationEndpoint
- o -  PatchNotificationEndpoint
- o -  DeleteNotificationEndpoint
r o -  ListNotificationGroups
- o -  CreateNotificationGroup
r o -  GetNotificationGroup
- o -  ReplaceNotificationGroup
- o -  PatchNotificationGroup
- o -  DeleteNotificationGroup
r o -  ListCredentials
- o -  CreateCredential
r o -  GetCredential
- o -  ReplaceCredential
- o -  PatchCredential
- o -  DeleteCredential
r o -  ListJobTypes
- o -  CreateJobType
r o -  GetJobType
- o -  ReplaceJobType
- o -  DeleteJobType
r o -  ListIncidents
r o -  GetIncident
r o -  ListActions
r o -  GetAction
- o -  AcknowledgeIncident
- o -  DismissIncident
- o -  AddIncidentNote
- o -  ReopenIncident
- o -  SnoozeMonitor
- o -  UnsnoozeMonitor
- o -  RecoverMonitor
- o -  ReviewAction
- o -  PreflightCollection
- o -  CreateOperation
- o -  UploadOperation
- o -  ValidateOperation
- o -  ActivateOperation
- o -  CancelOperation
r o -  GetOperation
r o -  GetState
r o -  GetHistory
r o -  GetSLO
r o -  GetQueues
r o -  GetPools
r o -  GetSystems
r o -  GetConfig
r o -  GetReady
r o -  GetLive
r o -  GetMetrics
r o -  GetCapabilities
r o -  GetVersion
r o -  ExplainResource
r o -  ListWorkers
- - w  WorkerPoll
- - w  WorkerStart
- - w  WorkerHeartbeat
- - w  WorkerResult
- - w  WorkerLateEvidence
r o -  ListOperations
- o -  TryCheck
- o -  TryNotification
- o -  CreateSignInLink
r o -  GetPracticeTarget
- o -  SwitchPracticeTarget
r o -  ListRoutes
- o -  CreateRoute
r o -  GetRoute
- o -  ReplaceRoute
- o -  PatchRoute
- o -  DeleteRoute
r o -  ListPeople
- o -  CreatePerson
r o -  GetPerson
- o -  ReplacePerson
- o -  PatchPerson
- o -  DeletePerson
r o -  ListSchedules
- o -  CreateSchedule
r o -  GetSchedule
- o -  ReplaceSchedule
- o -  PatchSchedule
- o -  DeleteSchedule
r o -  ListPolicies
- o -  CreatePolicy
r o -  GetPolicy
- o -  ReplacePolicy
- o -  PatchPolicy
- o -  DeletePolicy
r o -  ListCalendars
- o -  CreateCalendar
r o -  GetCalendar
- o -  ReplaceCalendar
- o -  PatchCalendar
- o -  DeleteCalendar
r o -  GetShifts
- o -  CreatePushKey
r o -  ExplainMonitor
r o -  ExplainIncident
r o -  ExplainAction
r o -  ListStatusPages
- o -  CreateStatusPage
r o -  GetStatusPage
- o -  ReplaceStatusPage
- o -  PatchStatusPage
- o -  DeleteStatusPage
r o -  ListStatusIncidents
- o -  CreateStatusIncident
r o -  GetStatusIncident
- o -  ReplaceStatusIncident
- o -  PatchStatusIncident
- o -  DeleteStatusIncident
r o -  ListBadges
- o -  CreateBadge
r o -  GetBadge
- o -  ReplaceBadge
- o -  PatchBadge
- o -  DeleteBadge`
  .trim()
  .split('\n')
  .map((line) => line.split(/ +/) as [string, string, string, v2.OperationName])

const letters = { reader: 'r', operator: 'o', worker: 'w', probe: 'p' } as const

describe('roles', () => {
  it('are decided on for all 66 operations of the contract, and for what stands beside them', () => {
    expect(matrix.map(([, , , operation]) => operation).sort()).toEqual([...v2.operationNames].sort())
    expect(matrix.filter(([, , , operation]) => !v2.isAddition(operation))).toHaveLength(66)
  })

  it.each(matrix)('allow %s%s%s to call %s', (...row) => {
    const operation = row[3]
    const allowed = roles.map((role) => (mayCall(role, operation) ? letters[role] : '-'))
    // A probe may call none.
    expect(allowed).toEqual([...row.slice(0, 3), '-'])
  })

  it('allow nothing that is not an operation', () => {
    for (const role of roles) {
      expect(mayCall(role, 'DropEverything' as v2.OperationName)).toBe(false)
      expect(mayCall(role, 'constructor' as v2.OperationName)).toBe(false)
    }
  })

  it('let readers and operators read v1, and programs not', () => {
    expect(roles.filter(mayReadV1)).toEqual(['reader', 'operator'])
  })
})
