// scripts/generate/messages/problem-remedies.ts: what to do about each problem code of the API. The types
// require a remedy for every code.
import type { ProblemCode, SessionProblemCode, v2 } from '@pulseward/contract'

const retry = 'Try again in a moment; `Retry-After` says when, where it is known.'
const restart = 'Begin the list again without a cursor.'
const token = 'Send a token that is valid: as `Authorization: Bearer`, or sign in again.'
const hostName = 'Ask by an IP address, or add the name to `allowed_hosts` or `public_url`.'
const slow = 'Send the whole request within 30 seconds, its head within 10.'
const standby =
  'Ask the process that `active` names, or give the command both addresses: `--server A,B`. Nothing was done here.'
const defect = 'Look in the log for the request id, and report what you find there.'
const unavailable = 'Look at `pulseward ready`: it names what is missing. Then try again.'

export const v1Remedies: Readonly<Record<ProblemCode, string>> = {
  misdirected_request: hostName,
  unauthorized: token,
  not_found: 'Look at the path: `/api/openapi.json` lists those that this service has.',
  api_version_not_served: 'v2 needs `--edition next`.',
  monitor_not_found: 'Look for it with `pulseward get monitors`; it may have been removed.',
  incident_not_found: 'Look for it with `pulseward get incidents`; closed ones are kept for 30 days.',
  method_not_allowed: 'Use GET or HEAD; writing is for v2.',
  invalid_request: 'Mend what the detail names.',
  invalid_parameter: 'Mend the parameters that `errors` names.',
  invalid_monitor_id: 'Give the number of the monitor, or its identity where the path takes one.',
  invalid_cursor: restart,
  cursor_expired: restart,
  request_timeout: slow,
  payload_too_large: 'Send no body: v1 only reads.',
  header_fields_too_large: 'Send less than 16 KiB of headers; shorten the filter or the cookies.',
  unavailable,
  history_unavailable: 'Look at the store: `pulseward get state` and the log say what is wrong with it.',
  overloaded: `${retry} If it happens often, raise \`limits.concurrent_requests\` or ask less often.`,
  standby,
  internal_error: defect,
}

export const sessionRemedies: Readonly<Record<SessionProblemCode, string>> = {
  misdirected_request: hostName,
  invalid_request: 'Mend what the detail names.',
  unauthorized: token,
  session_ended: 'Sign in again; a restart of a service with the embedded store ends all sessions.',
  forbidden: 'Sign in with the token of a reader or an operator; workers have no page.',
  insecure_transport: 'Open the page over https, or on the machine of the service itself.',
  origin_not_allowed: 'Open the page at the address that the service knows as its own: set `public_url`.',
  no_session: 'Nothing is wrong: the request was made with a token and not by a session.',
  method_not_allowed: 'Use one of the methods in `Allow`.',
  request_timeout: slow,
  payload_too_large: 'Send nothing but the token.',
  unsupported_media_type: 'Send `application/json`, without `Content-Encoding`.',
  header_fields_too_large: 'Send less than 16 KiB of headers; delete the cookies of this host.',
  internal_error: defect,
  unavailable:
    'Sign out again when the store can be written, or revoke the token with `pulseward token revoke`.',
}

export const v2Remedies: Readonly<Record<v2.ProblemCode, string>> = {
  invalidBody: 'Send valid JSON; `errors` says where it is not.',
  invalidParameter: 'Mend the parameters that `errors` names.',
  invalidCursor: restart,
  unsupportedFilter: 'Leave the filter out, or ask for a kind that has it.',
  invalidPrecondition: 'Send the `ETag` that was read, in quotes, as `If-Match`.',
  unauthorized: token,
  forbidden: 'Use a token whose role may do this: `pulseward token create NAME --role operator`.',
  insecureTransport:
    'Use https: set up `tls.certificate_file`, or a [proxy](../../reverse-proxy.md) that is listed in `proxies` and sets `X-Forwarded-Proto`.',
  csrfMismatch: 'Sign in again; a page that was open over a new sign-in has an old token.',
  originNotAllowed: 'Write from the address that the service knows as its own: set `public_url`.',
  notFound: 'Look for it with `pulseward get`; it may have been deleted.',
  methodNotAllowed: 'Use one of the methods in `Allow`.',
  requestTimeout: slow,
  managedByFile:
    'Change it in its fleet file, or [have v2 manage it](../../managing.md#from-fleet-files-to-v2-and-back).',
  resourceReferenced: 'Take the references out first; `pulseward describe` shows them.',
  incidentNotActive: 'Read the incident again: it was closed, or is already as you want it.',
  monitorNotSnoozed: 'Nothing is left to do: the snooze has ended.',
  recoveryIneligible:
    'The detail says why: no recovery is configured, one runs, or it was recovered too often.',
  actionNotUnknown: 'Read the action again: its outcome is known by now.',
  executorUnfenced: 'Wait until the worker has reported, was told to stop, or was silent for a minute.',
  evidenceConflict: 'Read the receipt: another result was reported first and stays.',
  operationConflict: 'Read the operation: its state says which call comes next.',
  jobTypeImmutable: 'Give the changed job type another `version`.',
  operationExpired: 'Read the resources themselves; records of operations are kept for 30 days.',
  cursorExpired: restart,
  versionConflict: 'Read the resource again, look at what changed, and write with the new version.',
  bodyTooLarge: 'Send less than 1 MiB, or use an operation of many items (`pulseward apply`).',
  unsupportedMediaType: 'Send the content type that the operation names, without `Content-Encoding`.',
  misdirectedRequest: hostName,
  invalidResource: 'Mend the fields that `errors` names; nothing was changed.',
  preconditionRequired: 'Send `If-Match` with the version that was read, or `If-None-Match: *` to create.',
  rateLimited: 'Wait as long as `Retry-After` says.',
  tooBusy: 'Wait as long as `Retry-After` says; writes wait while checks are late.',
  headersTooLarge: 'Send less than 16 KiB of headers.',
  standby,
  internalError: defect,
  featureUnavailable: 'Start the service with the setting that the detail names.',
  unavailable,
}
