// scripts/release/check-state.ts: whether a version can be released from the checkout: it is above the
// current one, everything is committed, and the version is not released yet.
import { execFileSync } from 'node:child_process'
import { readManifest } from '../packages/published-manifest.ts'
import { ReleaseError } from './release-error.ts'
import { compareVersions, parseVersion } from './semantic-version.ts'

/** Returns the current version. */
export function checkState(root: string, version: string): string {
  const wanted = parseVersion(version)
  if (wanted === null)
    throw new ReleaseError(`“${version}” is not a version: write it as 1.2.3 or 1.2.3-rc.1.`)
  const current = readManifest(root).version
  if (compareVersions(wanted, parseVersion(current)!) <= 0)
    throw new ReleaseError(`${version} does not come after ${current}: choose a later version.`)
  const changed = git(root, 'status', '--porcelain')
  if (changed !== '')
    throw new ReleaseError(`The checkout has changes that are not committed: commit them first.\n${changed}`)
  if (git(root, 'tag', '--list', `v${version}`) !== '')
    throw new ReleaseError(`The tag v${version} is there already: choose a later version.`)
  return current
}

function git(root: string, ...words: string[]): string {
  return execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trimEnd()
}
