// api/v2/routes/push-key-route.ts: makes a key for a job that reports by itself, as the value of a new credential. The answer
// is the only place where it is told.
import { newPushKey } from '../../../config/push-key.ts'
import type { ResourceDesk } from '../../../managing/resource-desk.ts'
import type { ResourceViews } from '../../../projection/v2/resource-views.ts'
import { type V2Route, v2Route } from '../v2-route.ts'
import { authorOf, made } from './resource-writes.ts'

export interface PushKeyRouteOptions {
  readonly desk: ResourceDesk
  readonly views: ResourceViews
}

export function pushKeyRoute({ desk, views }: PushKeyRouteOptions): V2Route {
  return v2Route('CreatePushKey', async (asked) => {
    const { credential } = asked.body
    const key = newPushKey()
    const sent = { metadata: { id: credential }, spec: { value: key } }
    const { resource } = await made(desk.create('Credential', sent, authorOf(asked)))
    return {
      body: { credential, key },
      version: views.tagOf(resource),
      location: `/api/v2/credentials/${encodeURIComponent(credential)}`,
    }
  })
}
