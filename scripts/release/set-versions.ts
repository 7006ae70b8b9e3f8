// scripts/release/set-versions.ts: sets one version for every package of this repository and its Helm chart, wherever it
// occurs: in their own files, in the lock file, and where one depends on another, always on exactly that version.
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

type Entry = { version?: string } & Record<string, unknown>

const dependencyFields = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies']
const ours = /^(pulseward|@pulseward\/[a-z-]+)$/

export function setVersions(root: string, version: string): void {
  for (const path of ['package.json', ...globSync('packages/*/package.json', { cwd: root })])
    edit(join(root, path), (manifest) => setEntry(manifest, version))
  // An example has a separate version, but depends on ours.
  for (const path of globSync('examples/*/package.json', { cwd: root }))
    edit(join(root, path), (manifest) => setDependencies(manifest, version))
  setChartVersion(join(root, 'deploy/helm/pulseward/Chart.yaml'), version)
  edit(join(root, 'package-lock.json'), (lock) => {
    lock.version = version
    for (const [path, entry] of Object.entries(lock['packages'] as Record<string, Entry>))
      if (!path.includes('node_modules/')) setEntry(entry, version)
  })
}

/** The chart runs the image of its appVersion. */
function setChartVersion(path: string, version: string): void {
  const text = readFileSync(path, 'utf8')
  const set = text.replace(/^version: .*$/m, `version: ${version}`)
  writeFileSync(path, set.replace(/^appVersion: .*$/m, `appVersion: "${version}"`))
}

function edit(path: string, change: (content: Entry) => void): void {
  const content: Entry = JSON.parse(readFileSync(path, 'utf8'))
  change(content)
  writeFileSync(path, `${JSON.stringify(content, null, 2)}\n`)
}

function setEntry(entry: Entry, version: string): void {
  entry.version = version
  setDependencies(entry, version)
}

function setDependencies(entry: Entry, version: string): void {
  for (const field of dependencyFields) {
    const dependencies = entry[field] as Record<string, string> | undefined
    for (const name of Object.keys(dependencies ?? {})) if (ours.test(name)) dependencies![name] = version
  }
}
