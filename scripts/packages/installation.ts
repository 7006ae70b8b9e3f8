// scripts/packages/installation.ts: an empty folder into which the archives of `npm run test:packages` are installed as a
// user would: by the npm of this machine, from the registry, with install scripts. Deleted at the end of its scope.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type TemporaryFolder, temporaryFolder } from '@pulseward/testing'
import { type Host, makeProgramFolder, thisHost } from '../first-run/host.ts'
import { type HostCommand, type HostPlace, startOnHost } from '../first-run/host-command.ts'
import { installNodeVersions, type NodeVersion, nodeVersionIn } from '../first-run/node-versions.ts'
import { archiveName, readManifest } from './published-manifest.ts'

const archiveFolder = process.env['PULSEWARD_PACKAGES']

/** Null if the packages are available to test. */
export const whyNoPackages =
  archiveFolder === undefined ? 'packages are made and installed by `npm run test:packages`' : null

/** The path of the archive of a package. */
export function archiveOf(name: string): string {
  const { version } = readManifest(join(import.meta.dirname, '../..'))
  return join(archiveFolder ?? '', archiveName({ name, version }))
}

export class Installation implements Disposable {
  readonly #folder: TemporaryFolder

  private constructor(folder: TemporaryFolder) {
    this.#folder = folder
  }

  static install(names: readonly string[], ...flags: string[]): Installation {
    const folder = temporaryFolder({ 'package.json': '{ "type": "module" }' })
    const { node, npm } = thisHost()
    const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
    // The prefix is explicit because a surrounding npm passes its own down in the environment.
    const words = [npm, 'install', '--prefix', folder.root, ...quiet, ...flags, ...names.map(archiveOf)]
    execFileSync(node, words, { cwd: folder.root, stdio: ['ignore', 'ignore', 'inherit'] })
    return new Installation(folder)
  }

  get root(): string {
    return this.#folder.root
  }

  path(name: string): string {
    return this.#folder.path(name)
  }

  write(name: string, content: string): string {
    return this.#folder.write(name, content)
  }

  [Symbol.dispose](): void {
    this.#folder[Symbol.dispose]()
  }
}

/** This machine with one of the supported Node.js, with only it and npm on the PATH, and a user without settings. */
export class NodeHost implements Disposable {
  readonly node: string
  readonly #host: Host
  readonly #folder = temporaryFolder()
  readonly #commands = new Set<HostCommand>()

  constructor(node: string, { hasLibatomic = true } = {}) {
    this.node = node
    this.#host = { ...thisHost(), node, hasLibatomic, home: this.#folder.root }
    makeProgramFolder(this.#host, this.#folder.path('programs'))
  }

  /** `npx …` or `node …` in a folder. */
  start(words: readonly string[], cwd: string): HostCommand {
    const variables = {
      PULSEWARD_DATA: this.#folder.path('data'),
      PULSEWARD_LISTEN: '127.0.0.1:0',
      // Otherwise npm announces its own new versions between the lines of the command.
      npm_config_update_notifier: 'false',
    }
    const programs = this.#folder.path('programs')
    const place: HostPlace = { host: this.#host, programs, otherPrograms: [], cwd, variables }
    const command = startOnHost(words, place)
    this.#commands.add(command)
    return command
  }

  /** Runs a command to its end. */
  async run(words: readonly string[], cwd: string): Promise<{ code: number | null; output: string }> {
    const command = this.start(words, cwd)
    return { code: await command.ended, output: command.output() }
  }

  [Symbol.dispose](): void {
    for (const command of this.#commands) command.killAll()
    this.#folder[Symbol.dispose]()
  }
}

/** The Node.js of this machine if it has that version, otherwise one from the registry; or why there is none. */
export function findNode(major: number): NodeVersion | string {
  const { node } = thisHost()
  const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim().slice(1)
  if (version.startsWith(`${major}.`)) return { node, version }
  // Beside the archives, for all test files of the run.
  const kept = join(archiveFolder ?? '', `node-${major}`)
  try {
    if (!existsSync(kept)) installNode(major, kept)
    return nodeVersionIn(kept, major)
  } catch {
    return `Node.js ${major} cannot be had from the registry; npm has said why`
  }
}

/** Renamed into place when complete: another test file may look at the same moment, or install it first. */
function installNode(major: number, kept: string): void {
  const partial = mkdtempSync(`${kept}-`)
  try {
    installNodeVersions(partial, [major])
    renameSync(partial, kept)
  } catch (error) {
    if (!existsSync(kept)) throw error
  } finally {
    rmSync(partial, { recursive: true, force: true })
  }
}
