// scripts/release/changelog.ts: moves the entries under Unreleased to the released version.
import { ReleaseError } from './release-error.ts'

const unreleased = '## [Unreleased]\n'
const entry = /^- /m

export function releaseChangelog(text: string, version: string, date: string): string {
  const start = text.indexOf(unreleased)
  if (start === -1) throw new ReleaseError('CHANGELOG.md has no heading [Unreleased]: add it.')
  if (text.includes(`## [${version}]`))
    throw new ReleaseError(`CHANGELOG.md has the version ${version} already: choose a later one.`)
  const afterHeading = start + unreleased.length
  const next = text.indexOf('\n## ', afterHeading)
  const entries = text.slice(afterHeading, next === -1 ? text.length : next)
  if (!entry.test(entries))
    throw new ReleaseError('CHANGELOG.md has nothing under [Unreleased]: say what changed.')
  const heading = `\n## [${version}] - ${date}\n`
  return `${text.slice(0, afterHeading)}${heading}${text.slice(afterHeading)}`
}
