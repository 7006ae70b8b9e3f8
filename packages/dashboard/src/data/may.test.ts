import { sessionRoles, v2 } from '@pulseward/contract'
import { mayCall } from '@pulseward/server/internal/access/roles.ts'
import { describe, expect, it } from 'vitest'
import { may } from './may.ts'

describe.each(sessionRoles)('a %s', (role) => {
  it.each(v2.operationNames)('is offered %s exactly when the service allows it', (name) => {
    expect(may(role, name)).toBe(mayCall(role, name))
  })
})
