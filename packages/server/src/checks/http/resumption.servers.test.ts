// Checks of one monitor that follow each other, against real servers: a session is resumed where the server lets it be, and
// nothing else differs where it does not.
import { CheckedMonitor } from '@pulseward/testing/checks'
import { describeServer, freePort, sessionServers } from '@pulseward/testing/servers'
import { CERTIFICATES_END_AT, certificates } from '@pulseward/testing/targets'
import { beforeEach, describe, expect, it } from 'vitest'
import { http } from './http.ts'

let monitor: CheckedMonitor
beforeEach(() => {
  monitor = new CheckedMonitor()
})

/** The server itself says what the handshake was. */
async function expectHandshakes(port: number, handshakes: readonly ('full' | 'resumed')[]): Promise<void> {
  for (const handshake of handshakes) {
    const outcome = await monitor.check(http, {
      url: `https://shop.test:${port}/`,
      tls: { ca: certificates.authority },
      expect: { body: { contains: handshake } },
    })
    const certificateExpiresAt = handshake === 'full' ? CERTIFICATES_END_AT : null
    expect(outcome).toMatchObject({ status: 'success', reason: null, certificateExpiresAt })
  }
}

for (const { kind, offers, start } of sessionServers)
  describeServer(kind, (program) => {
    describe.each(['TLSv1.2', 'TLSv1.3'] as const)('by %s', (version) => {
      it.each(offers.filter((sessions) => sessions !== 'none'))('resumes by %s', async (sessions) => {
        const port = await freePort()
        await using _server = await start(program, { port, version, sessions })
        await expectHandshakes(port, ['full', 'resumed', 'resumed', 'resumed'])
        monitor.clock.advance(5 * 60_000)
        await expectHandshakes(port, ['full', 'resumed'])
      })

      it('makes full handshakes where nothing can be resumed', async () => {
        const port = await freePort()
        await using _server = await start(program, { port, version, sessions: 'none' })
        await expectHandshakes(port, ['full', 'full', 'full'])
      })

      it('makes a full handshake after a restart, which forgets the sessions', async () => {
        const port = await freePort()
        const setup = { port, version, sessions: 'tickets' } as const
        {
          await using _server = await start(program, setup)
          await expectHandshakes(port, ['full', 'resumed'])
        }
        await using _restarted = await start(program, setup)
        await expectHandshakes(port, ['full', 'resumed'])
      })
    })
  })
