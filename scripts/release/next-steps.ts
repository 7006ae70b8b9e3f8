// scripts/release/next-steps.ts: the commands that publish a prepared release. They are printed and never
// run: a published version cannot be withdrawn.
import { parseVersion } from './semantic-version.ts'

/** The archives in the order of publishing: each after its dependencies. */
export function nextSteps(version: string, archives: readonly string[], folder: string): readonly string[] {
  // Otherwise `npm install pulseward` would install the prerelease.
  const tag = parseVersion(version)?.prerelease.length ? ' --tag next' : ''
  return [
    `git commit --all --message "Release ${version}"`,
    `git tag --annotate v${version} --message "Pulseward ${version}"`,
    'git push --follow-tags',
    ...archives.map((archive) => `npm publish ${folder}/${archive}${tag}`),
  ]
}
