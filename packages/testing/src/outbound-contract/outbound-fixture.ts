// outbound-contract/outbound-fixture.ts: a network with the address policy of notifications and recoveries.
// It may reach targets on this machine unless a test says otherwise.
import { outboundPolicy } from '@pulseward/server/internal/platform/network/address-policy.ts'
import { type CheckFixture, checkFixture } from '../checks/check-fixture.ts'

export interface OutboundOptions {
  readonly allowLoopback?: boolean
  /** Names that resolve, in the format of a hosts file. */
  readonly hosts?: string
  readonly timeoutMs?: number
}

export function outboundFixture({ allowLoopback = true, hosts = '' }: OutboundOptions = {}): CheckFixture {
  return checkFixture({ policy: outboundPolicy({ allowLoopback, allowLinkLocal: false }), hosts })
}
