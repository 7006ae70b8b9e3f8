// data/may.ts: what the signed-in user may do. What is not allowed is not offered; the service checks it again.
import type { SessionRole, v2 } from '@pulseward/contract'
import { useSession } from './session.ts'

/** By operation name, because the table of operations would be too large for the page; a test compares them. */
export function may(role: SessionRole, operation: v2.OperationName): boolean {
  if (/^(?:List|Get|Explain)/.test(operation)) return true
  return role === 'operator' && !operation.startsWith('Worker')
}

/** Also false if the user is not signed in. */
export function useMay(operation: v2.OperationName): boolean {
  const state = useSession()
  return state.kind === 'signed-in' && may(state.session.role, operation)
}
