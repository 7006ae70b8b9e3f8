// scripts/release.ts: `npm run release -- VERSION` prepares a release: versions, changelog and generated files, checked and
// packed in a temporary copy of this checkout. Only when all of that has succeeded does the checkout get the changed files
// and the archives; with --dry-run it gets nothing. It never commits, tags or publishes: it prints the commands for that.
import { copyFileSync, cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand } from './command-line/command.ts'
import { toggle } from './command-line/flags.ts'
import { packageFolders } from './packages/pack-packages.ts'
import { archiveName, readManifest } from './packages/published-manifest.ts'
import { TemporaryClone } from './recipes/temporary-clone.ts'
import { releaseChangelog } from './release/changelog.ts'
import { checkState } from './release/check-state.ts'
import { nextSteps } from './release/next-steps.ts'
import { ReleaseError } from './release/release-error.ts'
import { setVersions } from './release/set-versions.ts'

const root = join(import.meta.dirname, '..')

async function release(version: string, isDry: boolean): Promise<void> {
  const current = checkState(root, version)
  using clone = new TemporaryClone()
  const changelog = join(clone.root, 'CHANGELOG.md')
  const today = new Date().toISOString().slice(0, 10)
  writeFileSync(changelog, releaseChangelog(readFileSync(changelog, 'utf8'), version, today))
  setVersions(clone.root, version)
  const folder = `.cache/packages-${version}`
  await runStep(clone, 'npm run generate')
  // Before the check, which looks for the built files that documents name.
  const packed = await runStep(clone, `npm run --silent tool -- packages ${folder}`)
  await runStep(clone, 'npm run check')
  const changed = clone.changedFiles()
  const archives = packageFolders.map((name) => archiveName(readManifest(join(clone.root, 'packages', name))))
  if (!isDry) {
    for (const file of changed) copyFileSync(join(clone.root, file), join(root, file))
    cpSync(join(clone.root, folder), join(root, folder), { recursive: true })
  }
  const lines = [
    `Pulseward ${version}, after ${current}`,
    '',
    packed.slice(packed.indexOf('Package ')),
    isDry ? 'These files would change:' : 'These files were changed:',
    ...changed.map((file) => `  ${file}`),
    '',
    isDry ? 'Nothing was changed. A release would go on with:' : 'Look at the changes, then go on with:',
    ...nextSteps(version, archives, folder).map((command) => `  ${command}`),
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

async function runStep(clone: TemporaryClone, command: string): Promise<string> {
  process.stderr.write(`${command}…\n`)
  const { code, output } = await clone.run(command)
  if (code !== 0) throw new ReleaseError(`\`${command}\` ended with ${code}:\n${output.trim()}`)
  return output
}

const about = 'Prepares a release, and prints the commands that commit, tag and publish it.'
const words = { usage: 'VERSION', least: 1, most: 1 }
const flags = { 'dry-run': toggle('change nothing: only check, pack and print') }
await runCommand({ call: 'npm run release --', about, flags, words }, async (values, [version = '']) => {
  try {
    await release(version, values['dry-run'])
  } catch (error) {
    if (!(error instanceof ReleaseError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  }
})
