// v2/wire-types.ts: every named type of v2, under the name in its title. Other types are written where they are used.
import type { TSchema } from 'typebox'
import { addedWireTypes, Resource } from './resource-types.ts'
import { Action, ActionList, ActionReview } from './wire/action.ts'
import {
  ApplyItem,
  ApplyResult,
  BulkControl,
  CollectionOperation,
  ControlOperation,
  Operation,
  OperationCreateRequest,
  OperationList,
  Preflight,
  PreflightRequest,
  UploadRequest,
} from './wire/apply.ts'
import { Audience, AudienceMember, AudienceRule } from './wire/audience.ts'
import { Because } from './wire/because.ts'
import { ControlRequest, NoteRequest } from './wire/control.ts'
import { Credential, CredentialList, CredentialSpec, CredentialStatus } from './wire/credential.ts'
import { ComingChange, DecisionExplanation, ExplainedRule } from './wire/decision-explanation.ts'
import { DriverConfig } from './wire/driver-config.ts'
import { EscalationPage, HeldRecipient, ToldRecipient } from './wire/escalation-page.ts'
import { Event, EventList, EventResource, FieldChange } from './wire/event.ts'
import {
  Assignment,
  Assignments,
  HeartbeatRequest,
  HeartbeatResponse,
  LateEvidenceRequest,
  Outcome,
  PollRequest,
  Receipt,
  StartRequest,
  StartResponse,
  WorkerCapability,
  WorkerObservation,
  WorkerObservationList,
} from './wire/external-worker.ts'
import { Incident, IncidentList } from './wire/incident.ts'
import { JobType, JobTypeList, JobTypeSpec } from './wire/job-type.ts'
import { MergePatch } from './wire/merge-patch.ts'
import {
  AlertRule,
  CheckSpec,
  MaintenanceWindow,
  Monitor,
  MonitorList,
  MonitorSpec,
  MonitorStatus,
  PushStatus,
  RecoverySpec,
} from './wire/monitor.ts'
import {
  NotificationEndpoint,
  NotificationEndpointList,
  NotificationGroup,
  NotificationGroupList,
  NotificationGroupSpec,
} from './wire/notification.ts'
import { OnCallDuty, PersonStatus } from './wire/person.ts'
import { LastResort, PolicyRecipient, PolicyStatus, PolicyStep, QuietHours } from './wire/policy.ts'
import { PracticeSwitch, PracticeTarget } from './wire/practice-target.ts'
import { FieldError, Problem } from './wire/problem.ts'
import { PushKey, PushKeyRequest } from './wire/push-key.ts'
import { Metadata, ResourceStatus } from './wire/resource.ts'
import {
  OnCallHours,
  OnCallNow,
  ScheduleLayer,
  ScheduleOverride,
  ScheduleStatus,
  Shift,
  ShiftList,
} from './wire/schedule.ts'
import { Capabilities, Explanation, Health, Metrics, RuntimeConfig, Version } from './wire/service.ts'
import { SignInLink } from './wire/sign-in-link.ts'
import { SLOReport, SLOView } from './wire/slo.ts'
import { State, StorageState } from './wire/state.ts'
import { AffectedComponent, PlannedTime, StatusUpdate } from './wire/status-incident.ts'
import { StatusComponent, StatusGroup, StatusLink, StatusLogo } from './wire/status-page.ts'
import { Pool, PoolList, Queue, QueueList, System, SystemList } from './wire/telemetry.ts'
import { CheckTrial, CheckTrialRequest, NotificationTrial, Observation, TrialPhase } from './wire/trial.ts'
import { Measurement, Percentiles } from './wire/wire-type.ts'

export const wireTypes = {
  Metadata,
  ResourceStatus,
  CheckSpec,
  RecoverySpec,
  AlertRule,
  MaintenanceWindow,
  MonitorSpec,
  AudienceRule,
  AudienceMember,
  Audience,
  PushStatus,
  MonitorStatus,
  Monitor,
  MonitorList,
  DriverConfig,
  NotificationEndpoint,
  NotificationEndpointList,
  NotificationGroupSpec,
  NotificationGroup,
  NotificationGroupList,
  CredentialSpec,
  CredentialStatus,
  Credential,
  CredentialList,
  JobTypeSpec,
  JobType,
  JobTypeList,
  Because,
  ToldRecipient,
  HeldRecipient,
  EscalationPage,
  Incident,
  IncidentList,
  ActionReview,
  Action,
  ActionList,
  ControlRequest,
  NoteRequest,
  EventResource,
  FieldChange,
  Event,
  EventList,
  Resource,
  ApplyItem,
  ApplyResult,
  PreflightRequest,
  Preflight,
  CollectionOperation,
  BulkControl,
  ControlOperation,
  OperationCreateRequest,
  UploadRequest,
  Operation,
  OperationList,
  MergePatch,
  FieldError,
  Problem,
  StorageState,
  State,
  Queue,
  Pool,
  System,
  QueueList,
  PoolList,
  SystemList,
  SLOReport,
  SLOView,
  Metrics,
  RuntimeConfig,
  Health,
  Capabilities,
  Version,
  Explanation,
  SignInLink,
  PracticeTarget,
  PracticeSwitch,
  PushKeyRequest,
  PushKey,
  WorkerCapability,
  PollRequest,
  Assignment,
  Assignments,
  StartRequest,
  StartResponse,
  HeartbeatRequest,
  HeartbeatResponse,
  Outcome,
  Receipt,
  LateEvidenceRequest,
  WorkerObservation,
  WorkerObservationList,
  OnCallDuty,
  PersonStatus,
  OnCallHours,
  ScheduleLayer,
  ScheduleOverride,
  OnCallNow,
  ScheduleStatus,
  Shift,
  ShiftList,
  PolicyRecipient,
  PolicyStep,
  QuietHours,
  LastResort,
  PolicyStatus,
  StatusComponent,
  StatusGroup,
  StatusLink,
  StatusLogo,
  AffectedComponent,
  StatusUpdate,
  PlannedTime,
  CheckTrialRequest,
  TrialPhase,
  Observation,
  CheckTrial,
  NotificationTrial,
  ExplainedRule,
  ComingChange,
  DecisionExplanation,
  Measurement,
  Percentiles,
  ...addedWireTypes,
} as const satisfies Readonly<Record<string, TSchema>>

export type WireTypeName = keyof typeof wireTypes
