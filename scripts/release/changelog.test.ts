import { describe, expect, it } from 'vitest'
import { releaseChangelog } from './changelog.ts'

const before = `# Changelog

## [Unreleased]

### Added

- Packages.

## [0.1.0] - 2026-01-02

- All of it.
`

describe('the changelog of a release', () => {
  it('has the entries under the version and its date, and an empty heading for the next', () => {
    expect(releaseChangelog(before, '0.2.0', '2026-03-04')).toBe(`# Changelog

## [Unreleased]

## [0.2.0] - 2026-03-04

### Added

- Packages.

## [0.1.0] - 2026-01-02

- All of it.
`)
  })

  it('needs entries: those of an earlier version do not count', () => {
    const released = releaseChangelog(before, '0.2.0', '2026-03-04')
    expect(() => releaseChangelog(released, '0.3.0', '2026-03-05')).toThrow('nothing under [Unreleased]')
  })

  it('needs the heading, and a version that is not there', () => {
    expect(() => releaseChangelog('# Changelog\n', '0.2.0', '2026-03-04')).toThrow('no heading')
    expect(() => releaseChangelog(before, '0.1.0', '2026-03-04')).toThrow('has the version 0.1.0 already')
  })
})
