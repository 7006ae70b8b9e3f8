// config/fleet-file/identity.ts: the identity of a monitor. An explicit id stays through renames; without one the name
// is the identity, and a rename is a removal and a new monitor.
import { hash } from 'node:crypto'

/** Explicit ids may not begin with this prefix, so the two kinds never collide. */
export const derivedIdentityPrefix = 'name:'

export function identityOf(monitor: { id?: string; name: string }): string {
  return monitor.id ?? derivedIdentityPrefix + hash('sha256', monitor.name, 'hex')
}
