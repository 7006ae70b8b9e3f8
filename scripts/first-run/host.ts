// scripts/first-run/host.ts: the machine of a newcomer: its Node.js and npm, its language and its user. A
// command there gets only the settings of the npm registry from the environment of the user who runs this.
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { isExecutable } from '@pulseward/testing/files'

export interface Host {
  /** The program of Node.js. */
  readonly node: string
  /** npm-cli.js. */
  readonly npm: string
  /** LANG; null if it is not set. */
  readonly language: string | null
  readonly home: string
  /** Runs commands as this user; null means the user who runs this. */
  readonly uid: number | null
  /** Whether it has libatomic, as all but minimal systems do. */
  readonly hasLibatomic: boolean
}

const registryVariables = /^(npm_config_registry|NODE_EXTRA_CA_CERTS|(https?|no)_proxy)$/i

/** The Node.js and npm of this machine, not those of the dependencies. */
export function thisHost(): Host {
  return {
    node: findOutside('node', process.env['npm_node_execpath']),
    npm: findOutside('npm', process.env['npm_execpath']),
    language: process.env['LANG'] ?? null,
    home: process.env['HOME'] ?? '/',
    uid: null,
    hasLibatomic: true,
  }
}

function findOutside(name: string, known: string | undefined): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const paths = [...(known === undefined ? [] : [known]), ...folders.map((folder) => join(folder, name))]
  const ours = join('node_modules', '.bin')
  const found = paths.find((path) => !path.includes(ours) && isExecutable(path))
  if (found === undefined) throw new Error(`There is no ${name} on the PATH.`)
  return found
}

/** A folder for the PATH with only node, npm, npx, and the shell that npm runs scripts with. */
export function makeProgramFolder(host: Host, folder: string): void {
  mkdirSync(folder)
  const npx = join(dirname(realpathSync(host.npm)), 'npx-cli.js')
  const programs = { node: host.node, npm: host.npm, npx, sh: '/bin/sh' }
  for (const [name, target] of Object.entries(programs)) symlinkSync(target, join(folder, name))
  // A library that cannot be loaded stops a program just like a missing one.
  if (!host.hasLibatomic) writeFileSync(join(folder, 'libatomic.so.1'), '')
}

/** The environment of a command on that host; the PATH has this folder and then the others. */
export function environmentOf(
  host: Host,
  folder: string,
  otherFolders: readonly string[],
): NodeJS.ProcessEnv {
  const registry = Object.entries(process.env).filter(([name]) => registryVariables.test(name))
  return {
    ...Object.fromEntries(registry),
    PATH: [folder, ...otherFolders].join(delimiter),
    HOME: host.home,
    ...(host.language !== null && { LANG: host.language }),
    ...(!host.hasLibatomic && { LD_LIBRARY_PATH: folder }),
  }
}
