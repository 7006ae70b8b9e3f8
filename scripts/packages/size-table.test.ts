import { expect, it } from 'vitest'
import { sizeTable } from './size-table.ts'

it('shows a line for each package, with figures that stand below each other', () => {
  const files = [{ path: 'package.json', bytes: 1 }]
  const packages = [
    { name: 'pulseward', version: '0.2.0', files, packedBytes: 1_250_000, unpackedBytes: 4_500_000 },
    { name: '@pulseward/client', version: '0.2.0', files, packedBytes: 42_374, unpackedBytes: 198_700 },
  ]
  expect(sizeTable(packages)).toBe(
    [
      'Package                  Files     Packed   Unpacked',
      'pulseward 0.2.0              1  1250.0 kB  4500.0 kB',
      '@pulseward/client 0.2.0      1    42.4 kB   198.7 kB',
      '',
    ].join('\n'),
  )
})
