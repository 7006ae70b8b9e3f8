// outcomes.ts: the outcomes that a handler returns. One function per status, so that a handler reads like what it found.

/** May accompany every outcome. */
export interface Findings {
  /** Text for people; cut at 64 KiB. */
  readonly diagnostic?: string
  /** At most 64 entries of 4 KiB. */
  readonly evidence?: readonly string[]
}

interface Found<Status extends string, Data> extends Findings {
  readonly status: Status
  readonly data?: Data
}

interface Rejected<Data, Code extends string> extends Found<'rejected', Data> {
  readonly rejectionCode?: Code
}

/** Only a success is required to have data when the result schema asks for some. */
interface Succeeded<Data> extends Findings {
  readonly status: 'success'
  readonly data: Data
}

export type CheckOutcome<Data = unknown> = Succeeded<Data> | Found<'failure' | 'noData', Data>

export type RecoveryOutcome<Data = unknown, Code extends string = string> =
  | Found<'accepted' | 'completed' | 'unknown', Data>
  | Rejected<Data, Code>

export type NotificationOutcome<Data = unknown, Code extends string = string> =
  | Found<'accepted' | 'delivered' | 'unknown', Data>
  | Rejected<Data, Code>

/** An outcome of any kind of job. */
export type AnyOutcome = CheckOutcome | RecoveryOutcome | NotificationOutcome

type More<Data> = Findings & { readonly data?: Data }

/** The target is as it should be. */
export function success(): Succeeded<undefined>
export function success<const Data>(data: Data, findings?: Findings): Succeeded<Data>
export function success(data?: unknown, findings: Findings = {}): Succeeded<unknown> {
  return { ...findings, status: 'success', data }
}

/** The target is not as it should be; the sentence says in what way. */
export function failure<const Data = never>(diagnostic: string, more: More<Data> = {}) {
  return { ...more, diagnostic, status: 'failure' } as const
}

/** Nothing is known about the target. Its health stays as it is. */
export function noData<const Data = never>(diagnostic: string, more: More<Data> = {}) {
  return { ...more, diagnostic, status: 'noData' } as const
}

/** Another system has accepted the work; its result is not known here. */
export function accepted<const Data = never>(more: More<Data> = {}) {
  return { ...more, status: 'accepted' } as const
}

/** The recovery is done. */
export function completed<const Data = never>(more: More<Data> = {}) {
  return { ...more, status: 'completed' } as const
}

/** The notification has reached the place where people read it. */
export function delivered<const Data = never>(more: More<Data> = {}) {
  return { ...more, status: 'delivered' } as const
}

/** It definitely did not happen. The code is one of the job type's rejectionCodes. */
export function rejected<const Code extends string, const Data = never>(
  rejectionCode: Code,
  diagnostic?: string,
  more: More<Data> = {},
) {
  return {
    ...more,
    ...(diagnostic === undefined ? {} : { diagnostic }),
    rejectionCode,
    status: 'rejected',
  } as const
}

/** It may or may not have happened. The service holds the action for review and never repeats it. */
export function unknown<const Data = never>(diagnostic: string, more: More<Data> = {}) {
  return { ...more, diagnostic, status: 'unknown' } as const
}
