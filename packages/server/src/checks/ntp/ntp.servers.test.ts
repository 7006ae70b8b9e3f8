// The ntp check against chrony.
import { checkFixture } from '@pulseward/testing/checks'
import { chronyd, describeServer, startChronyd } from '@pulseward/testing/servers'
import { expect, it } from 'vitest'
import { ntp } from './ntp.ts'

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
