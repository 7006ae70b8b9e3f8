// scripts/release/next-steps.ts: the commands that make a prepared release public. They are printed and never run: a
// published version cannot be taken back.
import { parseVersion } from './semantic-version.ts'

/** The archives in the order in which they are published: each after those that it depends on. */
export function nextSteps(version: string, archives: readonly string[], folder: string): readonly string[] {
  // Otherwise `npm install pulseward` would get it.
  const tag = parseVersion(version)?.prerelease.length ? ' --tag next' : ''
  return [
    `git commit --all --message "Release ${version}"`,
    `git tag --annotate v${version} --message "Pulseward ${version}"`,
    'git push --follow-tags',
    ...archives.map((archive) => `npm publish ${folder}/${archive}${tag}`),
  ]
}
