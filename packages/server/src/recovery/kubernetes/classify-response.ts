// recovery/kubernetes/classify-response.ts: the outcome that the API server's answer to our patch means. Pure. Quotes
// nothing of the answer.
import { type ActionOutcome, accepted, rejected, unknown } from '../../platform/action-outcome.ts'
import type { OutboundAnswer } from '../../platform/network/outbound-http.ts'
import { isGatewayAnswer } from '../driver.ts'

export interface PatchedWorkload {
  readonly namespace: string
  readonly name: string
  readonly kind?: string
  readonly action?: string
}

export function classifyResponse(answer: OutboundAnswer, workload: PatchedWorkload): ActionOutcome {
  const { kind = 'deployment', namespace, name, action } = workload
  const { status } = answer
  if (status >= 200 && status <= 299) {
    const idle = action === 'scale' ? null : idleReason(answer)
    return idle === null ? accepted() : rejected(`the ${kind} ${namespace}/${name} ${idle}`)
  }
  switch (status) {
    case 401:
      return rejected('the API server does not know who we are (401)')
    case 403: {
      const resource = action === 'scale' ? `${kind}s/scale` : `${kind}s`
      return rejected(`we may not patch ${resource} in the namespace ${namespace} (403)`)
    }
    case 404:
      return rejected(`there is no ${kind} ${namespace}/${name} (404)`)
    case 504:
      // The API server says so if storing took too long: the change may have been stored all the same.
      return unknown('the API server answered 504: it does not know whether the change was stored')
    default: {
      if (isGatewayAnswer(status))
        return unknown(`a gateway before the API server answered ${status}: the change may have been stored`)
      const redirect = status >= 300 && status <= 399 ? ', and redirects are not followed' : ''
      return rejected(`the API server answered ${status}${redirect}`)
    }
  }
}

interface WorkloadSpec {
  readonly paused?: unknown
  readonly updateStrategy?: { readonly type?: unknown }
}

/** Why the workload accepts the restart but does nothing; null if it acts, or if the answer was too long to tell. */
function idleReason({ body, isWhole }: OutboundAnswer): string | null {
  const spec = isWhole ? specOf(body) : null
  if (spec?.paused === true) return 'is paused: its pods restart only when it is resumed'
  if (spec?.updateStrategy?.type === 'OnDelete')
    return 'has the update strategy OnDelete: its pods restart only when they are deleted'
  return null
}

function specOf(body: string): WorkloadSpec | null {
  try {
    return (JSON.parse(body) as { spec?: WorkloadSpec } | null)?.spec ?? null
  } catch {
    return null
  }
}
