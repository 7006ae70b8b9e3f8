import { definitionOf } from '@pulseward/testing/fleet'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Fingerprints } from './fingerprints.ts'

const monitor = fc.record({
  type: fc.constantFrom('tcp', 'udp'),
  port: fc.integer({ min: 1, max: 3 }),
  interval: fc.constantFrom('10s', '20s'),
  heals: fc.boolean(),
})

function fingerprintsOf(
  monitors: readonly (typeof monitor extends fc.Arbitrary<infer Value> ? Value : never)[],
) {
  const documents = monitors.map(({ type, port, interval, heals }, number) => ({
    id: `m-${number}`,
    name: 'a',
    check: { type, interval, config: { host: 'a', port } },
    ...(heals ? { recovery: { type: 'webhook', config: { url: 'http://a/' } } } : {}),
  }))
  return new Fingerprints(definitionOf(documents))
}

const recoveryOf = (whole: string) => whole.slice(whole.lastIndexOf('/'))

it('compares a configuration with a stored fingerprint as their texts compare', () => {
  fc.assert(
    fc.property(fc.array(monitor, { minLength: 2, maxLength: 2 }), (monitors) => {
      const fingerprints = fingerprintsOf(monitors)
      const [one, other] = [fingerprints.of(0), fingerprints.of(1)]
      expect(fingerprints.compare(0, other)).toEqual({
        check: one.check === other.check,
        whole: one.whole === other.whole,
        recovery: recoveryOf(one.whole) === recoveryOf(other.whole),
      })
      expect(fingerprints.compare(0, one)).toEqual({ check: true, whole: true, recovery: true })
    }),
  )
})

it('agrees in nothing with a monitor whose configuration was not seen yet', () => {
  const nothing = { check: false, whole: false, recovery: false }
  const [one] = fc.sample(monitor, 1)
  expect(fingerprintsOf([one!]).compare(0, { check: '', whole: '' })).toEqual(nothing)
})
