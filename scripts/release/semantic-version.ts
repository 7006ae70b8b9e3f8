// scripts/release/semantic-version.ts: parses versions and orders them by the rules of semver.org, without
// build metadata, which npm does not keep.

export interface SemanticVersion {
  readonly numbers: readonly [major: number, minor: number, patch: number]
  /** The parts of `-rc.1`; empty for a release. */
  readonly prerelease: readonly string[]
}

const number = '(0|[1-9][0-9]*)'
const part = '(?:0|[1-9][0-9]*|[0-9]*[a-zA-Z-][0-9a-zA-Z-]*)'
const pattern = new RegExp(`^${number}\\.${number}\\.${number}(?:-(${part}(?:\\.${part})*))?$`)

/** Null if the text is not a version. */
export function parseVersion(text: string): SemanticVersion | null {
  const match = pattern.exec(text)
  if (match === null) return null
  const [, major, minor, patch, prerelease] = match
  return {
    numbers: [Number(major), Number(minor), Number(patch)],
    prerelease: prerelease?.split('.') ?? [],
  }
}

/** Negative if the first comes before the second, 0 if they are equal. */
export function compareVersions(first: SemanticVersion, second: SemanticVersion): number {
  for (const [index, value] of first.numbers.entries()) {
    const difference = value - second.numbers[index]!
    if (difference !== 0) return difference
  }
  return comparePrereleases(first.prerelease, second.prerelease)
}

function comparePrereleases(first: readonly string[], second: readonly string[]): number {
  // A release comes after all of its prereleases.
  if (first.length === 0 || second.length === 0) return second.length - first.length
  for (const [index, value] of first.entries()) {
    const other = second[index]
    if (other === undefined) return 1
    const difference = compareParts(value, other)
    if (difference !== 0) return difference
  }
  return first.length - second.length
}

/** Numbers by their value and before words; words by their characters. */
function compareParts(first: string, second: string): number {
  const isNumber = (text: string) => /^[0-9]+$/.test(text)
  if (isNumber(first) && isNumber(second)) return Number(first) - Number(second)
  if (isNumber(first) !== isNumber(second)) return isNumber(first) ? -1 : 1
  if (first === second) return 0
  return first < second ? -1 : 1
}
