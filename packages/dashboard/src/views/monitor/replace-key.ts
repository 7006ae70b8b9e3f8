// views/monitor/replace-key.ts: gives a job another key: the service makes one, and the monitor takes it beside the previous one,
// so that no signal is lost. A key that the monitor did not take is deleted again.
import type { v2 } from '@pulseward/contract'
import type { V2Requests } from '../../data/v2-request.ts'
import { readResource } from '../../data/v2-resource.ts'
import { nextKeyName } from './key-name.ts'

export type ReplacedKey =
  | { readonly kind: 'replaced'; readonly key: string; readonly credential: string }
  | { readonly kind: 'not-replaced'; readonly sentence: string }

/** Another person may have taken the next names. */
const mostTries = 5

export async function replaceKey(requests: V2Requests, monitorId: string): Promise<ReplacedKey> {
  const path = `/api/v2/monitors/${encodeURIComponent(monitorId)}`
  const { resource, version } = await readResource(requests, path)
  const previous = keysOf(resource as v2.Monitor).key
  const made = await makeKey(requests, nextKeyName(previous))
  if (typeof made === 'string') return { kind: 'not-replaced', sentence: made }
  const credentialRefs = { key: made.credential, previous_key: previous }
  const outcome = await requests.write({
    method: 'PATCH',
    path,
    mediaType: 'application/merge-patch+json',
    body: { spec: { check: { driver: { credentialRefs } } } },
    ifMatch: version,
  })
  if (outcome.kind === 'done') return { kind: 'replaced', ...made }
  if (outcome.kind === 'unknown')
    return {
      kind: 'not-replaced',
      sentence: `The answer was lost. Load the page again: if the monitor uses the credential ${made.credential}, ask for another key.`,
    }
  const { version: ofKey } = made
  const credentialPath = `/api/v2/credentials/${encodeURIComponent(made.credential)}`
  await requests.write({
    method: 'DELETE',
    path: credentialPath,
    ...(ofKey === null ? {} : { ifMatch: ofKey }),
  })
  return { kind: 'not-replaced', sentence: `The key was not replaced. ${outcome.sentence}` }
}

/** The credentials of a push monitor. */
export function keysOf({ spec }: v2.Monitor): { readonly key: string; readonly previous: string | null } {
  const { key = '', previous_key: previous = null } = spec.check.driver.credentialRefs ?? {}
  return { key, previous }
}

/** Returns why there is none, as a sentence. */
async function makeKey(
  requests: V2Requests,
  firstName: string,
): Promise<(v2.PushKey & { readonly version: string | null }) | string> {
  let credential = firstName
  for (let tries = 1; ; tries++) {
    const body: v2.PushKeyRequest = { credential }
    const outcome = await requests.write<v2.PushKey>({ method: 'POST', path: '/api/v2/push-keys', body })
    if (outcome.kind === 'done') return { ...outcome.body, version: outcome.version }
    if (outcome.kind === 'unknown') return 'The answer was lost, and the key was not replaced. Try again.'
    if (outcome.code !== 'versionConflict' || tries === mostTries)
      return `The key was not replaced. ${outcome.sentence}`
    credential = nextKeyName(credential)
  }
}
