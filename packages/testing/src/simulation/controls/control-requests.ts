// simulation/controls/control-requests.ts: what people ask of incidents, monitors and actions, with what they know.
import type { ReviewResolution } from '@pulseward/server/internal/deciding/actions/action.ts'

export type IncidentVerb = 'acknowledge' | 'dismiss' | 'reopen'

interface Asked {
  /** Unique over all processes and kinds of requests. */
  readonly operation: number
  readonly principal: string
  readonly reason: string
  /** The revision that the person has seen. */
  readonly revision: number
}

export type ControlRequest = Asked &
  (
    | { readonly verb: IncidentVerb; readonly monitorId: string; readonly incidentId: string }
    | { readonly verb: 'note'; readonly monitorId: string; readonly incidentId: string }
    | { readonly verb: 'snooze'; readonly monitorId: string; readonly forMs: number }
    | { readonly verb: 'unsnooze' | 'recover'; readonly monitorId: string }
    | {
        readonly verb: 'review'
        /** Null for a digest. */
        readonly monitorId: string | null
        readonly actionId: string
        readonly resolution: ReviewResolution
      }
  )
