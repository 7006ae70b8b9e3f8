// data/may.ts: what the one who is signed in may do. What is not allowed is not offered; the service judges it again.
import type { SessionRole, v2 } from '@pulseward/contract'
import { useSession } from './session.ts'

/** By the name of the operation, because the table of operations would be too heavy for the page; a test compares them. */
export function may(role: SessionRole, operation: v2.OperationName): boolean {
  if (/^(?:List|Get|Explain)/.test(operation)) return true
  return role === 'operator' && !operation.startsWith('Worker')
}

/** False also while nobody is signed in. */
export function useMay(operation: v2.OperationName): boolean {
  const state = useSession()
  return state.kind === 'signed-in' && may(state.session.role, operation)
}
