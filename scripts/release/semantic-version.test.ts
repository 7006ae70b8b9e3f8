import { describe, expect, it } from 'vitest'
import { compareVersions, parseVersion } from './semantic-version.ts'

describe('a semantic version', () => {
  it.each([
    '1.2',
    '1.2.3.4',
    'v1.2.3',
    '01.2.3',
    '1.2.3-',
    '1.2.3-rc..1',
    '1.2.3-01',
    '1.2.3+build',
    ' 1.2.3',
    '',
  ])('is not %j', (text) => {
    expect(parseVersion(text)).toBeNull()
  })

  it('has three numbers, and parts after a hyphen before its release', () => {
    expect(parseVersion('10.0.3')).toEqual({ numbers: [10, 0, 3], prerelease: [] })
    expect(parseVersion('1.0.0-rc-2.1')).toEqual({ numbers: [1, 0, 0], prerelease: ['rc-2', '1'] })
  })

  it('comes in the order of semver.org', () => {
    const ordered = [
      '0.1.0',
      '0.2.0-rc.1',
      '0.2.0',
      '0.10.0',
      '1.0.0-alpha',
      '1.0.0-alpha.1',
      '1.0.0-alpha.beta',
      '1.0.0-beta',
      '1.0.0-beta.2',
      '1.0.0-beta.11',
      '1.0.0-rc.1',
      '1.0.0',
      '1.0.1',
      '2.0.0',
    ]
    const versions = ordered.map((text) => parseVersion(text)!)
    for (const [index, first] of versions.entries())
      for (const [otherIndex, second] of versions.entries())
        expect(Math.sign(compareVersions(first, second))).toBe(Math.sign(index - otherIndex))
  })
})
