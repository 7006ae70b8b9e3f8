// The ntp check against chrony.
import { expect, it } from 'vitest'
import { checkFixture } from '../../../../testing/src/check-fixture.ts'
import { chronyd, startChronyd } from '../../../../testing/src/servers/chronyd.ts'
import { describeServer } from '../../../../testing/src/servers/describe-server.ts'
import { ntp } from '../ntp.ts'

describeServer(chronyd, (program) => {
  it('gives the time, which is ours on this machine', async () => {
    using fixture = checkFixture()
    await using server = await startChronyd(program, true)
    const { outcome } = await fixture.run(ntp, { host: server.host, port: server.port, max_offset: '100ms' })
    expect(outcome).toMatchObject({ status: 'success', warning: null })
  })

  it('admits that it does not know the time', async () => {
    using fixture = checkFixture()
    await using server = await startChronyd(program, false)
    const { host, port } = server
    const { outcome } = await fixture.run(ntp, { host, port })
    expect(outcome).toMatchObject({
      status: 'failure',
      reason: `the clock of ${host}:${port} is not synchronised`,
    })
  })
})
