// views/manage/trial/trial.ts: how the draft of a document is tried, and what came of it in words. Pure.
import type { v2 } from '@pulseward/contract'
import type { V2Write, WriteOutcome } from '../../../data/v2-request.ts'
import { type Json, valueAt } from '../json.ts'
import type { ManagedKind } from '../kinds.ts'

/** How a kind is tried. */
export interface TrialWords {
  readonly button: string
  readonly running: string
  readonly title: string
  request(document: Json): V2Write
}

/** The service ends a trial before. */
const waitMs = 310_000

const ofKinds: Readonly<Partial<Record<ManagedKind, TrialWords>>> = {
  Monitor: {
    button: 'Test',
    running: 'Testing',
    title: 'Test of this draft',
    request: (document) => ({
      method: 'POST',
      path: '/api/v2/trials/checks',
      body: {
        driver: valueAt(document, ['spec', 'check', 'driver']),
        timeout: valueAt(document, ['spec', 'check', 'timeout']),
      },
      waitMs,
    }),
  },
  NotificationEndpoint: {
    button: 'Send a test',
    running: 'Sending',
    title: 'Test message',
    request: (document) => ({
      method: 'POST',
      path: '/api/v2/trials/notifications',
      body: valueAt(document, ['spec']),
      waitMs,
    }),
  },
}

/** Null for a kind that cannot be tried. */
export function trialWordsOf(kind: ManagedKind): TrialWords | null {
  return ofKinds[kind] ?? null
}

export type Tried =
  | { readonly kind: 'check'; readonly seen: v2.CheckTrial }
  | { readonly kind: 'notification'; readonly seen: v2.NotificationTrial }
  | { readonly kind: 'none'; readonly sentence: string }

export function triedOf(outcome: WriteOutcome<v2.CheckTrial | v2.NotificationTrial>): Tried {
  if (outcome.kind === 'unknown')
    return {
      kind: 'none',
      sentence: 'The answer was lost. A test changes nothing here; a message may have arrived.',
    }
  if (outcome.kind === 'refused') return { kind: 'none', sentence: `Not tested. ${outcome.sentence}` }
  const { body } = outcome
  return 'observations' in body ? { kind: 'check', seen: body } : { kind: 'notification', seen: body }
}

/** The result as one sentence. */
export function sentenceOf(tried: Tried): string {
  if (tried.kind === 'none') return tried.sentence
  const because = tried.seen.reason === undefined ? '.' : `: ${tried.seen.reason}.`
  return tried.kind === 'check'
    ? `${checkWords[tried.seen.outcome]}${because}`
    : `${notificationWords[tried.seen.outcome]}${because}`
}

const checkWords: Readonly<Record<v2.CheckTrial['outcome'], string>> = {
  success: 'It is healthy',
  failure: 'It is not healthy',
  timeout: 'It is not healthy',
  noData: 'Nothing can be said',
}

const notificationWords: Readonly<Record<v2.NotificationTrial['outcome'], string>> = {
  delivered: 'The test message was delivered',
  rejected: 'The test message was not delivered',
  notReached: 'The provider was not reached',
  unknown: 'It is unknown whether the test message was delivered',
}

export function isGood(tried: Tried): boolean {
  return tried.kind !== 'none' && ['success', 'delivered'].includes(tried.seen.outcome)
}

export const phaseWords: Readonly<Record<v2.CheckTrial['phases'][number]['phase'], string>> = {
  resolve: 'Name resolved',
  connect: 'Connected',
  tls: 'TLS agreed',
  first_byte: 'First byte',
}
