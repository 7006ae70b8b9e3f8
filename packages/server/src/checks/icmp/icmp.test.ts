import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { checkFixture, promptlyMs } from '@pulseward/testing/checks'
import { DnsTarget } from '@pulseward/testing/targets'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { LibcSockets } from '../../platform/network/libc-sockets.ts'
import { icmp } from './icmp.ts'

/** Stands in for the kernel: answers the requests whose number is listed. */
function kernel(answers: (request: number) => boolean): LibcSockets {
  const replies: Buffer[] = []
  let requests = 0
  return {
    openEcho: () => ({ descriptor: 1, raw: false }),
    send(_descriptor, packet) {
      const reply = Buffer.from(packet)
      reply[0] = 0
      if (answers(++requests)) replies.push(reply)
      return true
    },
    receive(_descriptor, into) {
      const reply = replies.shift()
      return reply === undefined ? -1 : reply.copy(into)
    },
    close() {},
  }
}

const sockets = (libc: LibcSockets | null) => ({ loadSockets: async () => libc })
const host = '127.0.0.1'

describe('the icmp check', () => {
  it('succeeds when every request is answered', async () => {
    using fixture = checkFixture(sockets(kernel(() => true)))
    expect((await fixture.run(icmp, { host })).outcome).toMatchObject({ status: 'success', reason: null })
  })

  it('bears the loss that it may and no more', async () => {
    const config = { host, count: 4, max_loss: 25 }
    using some = checkFixture(sockets(kernel((request) => request !== 2)))
    expect((await some.run(icmp, config, 400)).outcome.status).toBe('success')
    using more = checkFixture(sockets(kernel((request) => request > 2)))
    expect((await more.run(icmp, config, 400)).outcome).toMatchObject({
      status: 'failure',
      reason: '2 of 4 echo requests to 127.0.0.1 went unanswered',
      evidence: 'target',
    })
  })

  it('keeps its deadline when nothing is answered', async () => {
    using fixture = checkFixture(sockets(kernel(() => false)))
    const { outcome, lateMs } = await fixture.run(icmp, { host }, 200)
    expect(outcome).toMatchObject({
      status: 'timeout',
      reason: 'no answer from 127.0.0.1 to 3 echo requests within 200 ms',
    })
    expect(lateMs).toBeLessThan(promptlyMs)
  })

  it('takes only its own replies for answers', async () => {
    const stranger = kernel(() => false)
    const noise = Buffer.alloc(64)
    let sent = 0
    using fixture = checkFixture(
      sockets({
        ...stranger,
        receive: (_descriptor, into) => (sent++ < 50 ? noise.copy(into, 0, 0, sent) : -1),
      }),
    )
    expect((await fixture.run(icmp, { host, count: 1 }, 100)).outcome.status).toBe('timeout')
  })

  it('keeps its deadline when the resolver hangs', async () => {
    await using dns = await DnsTarget.start({ behaviour: 'nothing' })
    using fixture = checkFixture({ servers: [dns.address], ...sockets(kernel(() => true)) })
    const { outcome, lateMs } = await fixture.run(icmp, { host: 'shop.test' }, 200)
    expect(outcome.reason).toBe('no answer from the resolver for shop.test within 200 ms')
    expect(lateMs).toBeLessThan(promptlyMs)
  })

  it('refuses metadata addresses', async () => {
    using fixture = checkFixture(sockets(kernel(() => true)))
    expect((await fixture.run(icmp, { host: '169.254.169.254' })).outcome).toMatchObject({
      status: 'failure',
    })
  })

  it('gets an answer of this machine itself, or says honestly that it cannot ask', async () => {
    using fixture = checkFixture()
    for (const address of ['127.0.0.1', '::1']) {
      const { outcome } = await fixture.run(icmp, { host: address, count: 2 })
      if (outcome.status === 'no_data') expect(outcome.reason).toContain('this machine gives no way to ping')
      else expect(outcome).toMatchObject({ status: 'success' })
    }
  })

  describe('without a socket for pings', () => {
    let folder = ''
    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'ping-'))
    })
    afterEach(async () => {
      vi.unstubAllEnvs()
      await rm(folder, { recursive: true })
    })

    async function installPing(script: string): Promise<void> {
      await writeFile(join(folder, 'ping'), `#!/bin/sh\n${script}\n`)
      await chmod(join(folder, 'ping'), 0o755)
      vi.stubEnv('PATH', `${folder}${delimiter}${process.env['PATH']}`)
    }

    it('reads the round trip from the ping command, which gets its arguments as a vector', async () => {
      await installPing(
        `printf '%s\\n' "$*" > ${folder}/arguments; echo "64 bytes from $1: icmp_seq=1 ttl=64 time=12.5 ms"`,
      )
      using fixture = checkFixture(sockets(null))
      const { outcome } = await fixture.run(icmp, { host, count: 2 })
      expect(outcome).toMatchObject({ status: 'success', latencyMs: 12.5 })
      expect(await readFile(join(folder, 'arguments'), 'utf8')).toMatch(/^-n -c 1 -W \d+ 127\.0\.0\.1\n$/)
    })

    it('takes a failing ping command for a lost request', async () => {
      await installPing('exit 1')
      using fixture = checkFixture(sockets(null))
      expect((await fixture.run(icmp, { host })).outcome.status).toBe('timeout')
    })

    it('says that it knows nothing when the ping command itself fails', async () => {
      await installPing('exit 77')
      using fixture = checkFixture(sockets(null))
      const { outcome } = await fixture.run(icmp, { host })
      expect(outcome.status).toBe('no_data')
      expect(outcome.reason).toContain('ping ended with exit code 77')
    })

    it('ends a ping command that hangs at its deadline', async () => {
      await installPing('exec sleep 30')
      using fixture = checkFixture(sockets(null))
      const { outcome, lateMs } = await fixture.run(icmp, { host, count: 1 }, 300)
      expect(outcome.status).toBe('timeout')
      expect(lateMs).toBeLessThan(promptlyMs)
    })

    it('says that it knows nothing when there is no ping command either', async () => {
      vi.stubEnv('PATH', folder)
      using fixture = checkFixture(sockets(null))
      const { outcome } = await fixture.run(icmp, { host })
      expect(outcome).toMatchObject({ status: 'no_data', evidence: 'local' })
      expect(outcome.reason).toContain('there is no ping command')
    })
  })
})
