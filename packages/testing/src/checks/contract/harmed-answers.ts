// checks/contract/harmed-answers.ts: servers whose answers are almost right: a byte is changed, or an answer
// is truncated or doubled. A check must still end with its own outcome, in words and without its password,
// and no library may crash the process.
import type { CheckDriver } from '@pulseward/server/internal/checks/driver.ts'
import fc from 'fast-check'
import type { Static, TObject } from 'typebox'
import { afterAll, describe, expect, it } from 'vitest'
import { ProtocolTarget, type Serve } from '../../targets/protocol-target.ts'
import { checkFixture } from '../check-fixture.ts'

/** The only user that a damaged server accepts. */
export const harmedLogin = { user: 'ward', password: 'correct horse' }

/** How the answer with this number is damaged. */
interface Harm {
  readonly answer: number
  readonly kind: 'change' | 'cut' | 'double' | 'insert'
  readonly at: number
  readonly byte: number
}

const harm: fc.Arbitrary<Harm> = fc.record({
  answer: fc.nat(5),
  kind: fc.constantFrom('change', 'cut', 'double', 'insert'),
  at: fc.nat(120),
  byte: fc.nat(255),
})

/** Tests a driver against a server that would succeed if its answers were not damaged. */
export function harmedAnswers<Schema extends TObject>(
  name: string,
  driver: CheckDriver<Schema>,
  serve: Serve,
  configAt: (port: number) => Static<Schema>,
): void {
  describe(`the ${name} check`, () => {
    const fixture = checkFixture()
    afterAll(() => fixture[Symbol.dispose]())

    it('is content with the server as it is', async () => {
      await using target = await ProtocolTarget.start(serve)
      const { outcome } = await fixture.run(driver, configAt(target.port))
      expect(outcome).toMatchObject({ status: 'success' })
    })

    it('gives an outcome whatever is done to the answers', async () => {
      const worlds = fc.sample(fc.array(harm, { minLength: 1, maxLength: 3 }), {
        numRuns: 120,
        seed: 20_260_314,
      })
      const findings = await Promise.all(worlds.map(async (harms) => [harms, await faultOf(harms)] as const))
      expect(findings.filter(([, fault]) => fault !== null)).toEqual([])
    })

    async function faultOf(harms: readonly Harm[]): Promise<string | null> {
      await using target = await ProtocolTarget.start(harmed(serve, harms))
      try {
        const { outcome } = await fixture.run(driver, configAt(target.port), 1_500)
        const isWorded = outcome.status === 'success' || /^[^\p{Cc}]{10,300}$/u.test(outcome.reason ?? '')
        if (!isWorded || outcome.reason?.includes(harmedLogin.password)) return `says ${outcome.reason}`
        return null
      } catch (error) {
        return `throws ${String(error)}`
      }
    }
  })
}

function harmed(serve: Serve, harms: readonly Harm[]): Serve {
  return (connection) => {
    const write = connection.write.bind(connection)
    let answers = 0
    connection.write = (bytes) => {
      const number = answers++
      write(harms.filter(({ answer }) => answer === number).reduce(doHarm, Buffer.from(bytes as Buffer)))
    }
    return serve(connection)
  }
}

function doHarm(bytes: Buffer, { kind, at: anywhere, byte }: Harm): Buffer {
  const at = bytes.length === 0 ? 0 : anywhere % bytes.length
  switch (kind) {
    case 'change':
      bytes[at] = byte
      return bytes
    case 'cut':
      return bytes.subarray(0, at)
    case 'double':
      return Buffer.concat([bytes, bytes])
    case 'insert':
      return Buffer.concat([bytes.subarray(0, at), Buffer.alloc(byte, byte), bytes.subarray(at)])
  }
}
