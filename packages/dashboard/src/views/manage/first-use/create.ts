// views/manage/first-use/create.ts: makes the resources of the first steps. Each says in a sentence why it could not.
import type { v2 } from '@pulseward/contract'
import type { V2Requests, WriteOutcome } from '../../../data/v2-request.ts'
import type { JsonObject } from '../json.ts'
import type { FirstDestination } from './first-destination.ts'

export function create<Body = unknown>(
  requests: V2Requests,
  collection: string,
  body: JsonObject,
): Promise<WriteOutcome<Body>> {
  return requests.write<Body>({ method: 'POST', path: `/api/v2/${collection}`, body, isCreate: true })
}

/** Null if it was done. */
export function whyNot(outcome: WriteOutcome<unknown>, taken: string): string | null {
  if (outcome.kind === 'done') return null
  if (outcome.kind === 'unknown')
    return 'The answer was lost, so it is unknown whether it was done. Look at it under Manage.'
  return outcome.status === 412 ? taken : (outcome.errors[0]?.message ?? outcome.sentence)
}

/** The destination and its route; null if both were made. A secret that nothing uses is not left behind. */
export async function createDestination(
  requests: V2Requests,
  { id, credential, endpoint, route }: FirstDestination,
): Promise<string | null> {
  const secret = credential === null ? null : await create<v2.Credential>(requests, 'credentials', credential)
  const noSecret = secret === null ? null : whyNot(secret, `There is a credential ${id}-address already.`)
  if (noSecret !== null) return noSecret
  const made = await create(requests, 'notification-endpoints', endpoint)
  const noEndpoint = whyNot(made, `There is an endpoint ${id} already. Choose who is told under Manage.`)
  if (noEndpoint !== null && made.kind === 'refused' && secret?.kind === 'done')
    await requests.write({
      method: 'DELETE',
      path: `/api/v2/credentials/${secret.body.metadata.id}`,
      ...(secret.version !== null && { ifMatch: secret.version }),
    })
  if (noEndpoint !== null) return noEndpoint
  return whyNot(await create(requests, 'routes', route), 'There is a route everything already.')
}
