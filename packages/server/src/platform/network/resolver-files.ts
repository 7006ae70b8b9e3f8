// platform/network/resolver-files.ts: /etc/resolv.conf and /etc/hosts, reread when they change: in place, by
// a rename over them, or behind a symbolic link. A file that is unreadable, empty or without a server, as
// during a rewrite, counts as unchanged: the last good one stays in force.
import { readFileSync, type Stats, statSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { namesServer, type ResolverConfig, resolverConfig } from './resolver-config.ts'

export interface ResolverPaths {
  readonly resolvConf: string
  readonly hosts: string
}

const systemPaths: ResolverPaths = { resolvConf: '/etc/resolv.conf', hosts: '/etc/hosts' }

export class ResolverFiles {
  readonly #configured: readonly string[]
  readonly #resolvConf: FollowedFile
  readonly #hosts: FollowedFile

  /** Configured servers replace the system's. */
  constructor(configured: readonly string[], paths: ResolverPaths = systemPaths) {
    this.#configured = configured
    this.#resolvConf = new FollowedFile(paths.resolvConf, namesServer)
    this.#hosts = new FollowedFile(paths.hosts, (text) => text.trim() !== '')
  }

  get config(): ResolverConfig {
    return resolverConfig({ resolvConf: this.#resolvConf.text, hosts: this.#hosts.text }, this.#configured)
  }

  /** Checks once; returns the current configuration, or null if nothing has changed. Never rejects. */
  async look(): Promise<ResolverConfig | null> {
    const changes = await Promise.all([this.#resolvConf.look(), this.#hosts.look()])
    return changes.includes(true) ? this.config : null
  }
}

class FollowedFile {
  /** The last good content; empty if there was none, since a machine may have neither file. */
  text: string
  readonly #path: string
  readonly #isGood: (text: string) => boolean
  #version = ''

  constructor(path: string, isGood: (text: string) => boolean) {
    this.#path = path
    this.#isGood = isGood
    try {
      this.#version = versionOf(statSync(path))
      this.text = readFileSync(path, 'utf8')
    } catch {
      this.text = ''
    }
  }

  async look(): Promise<boolean> {
    try {
      // Before reading, so that the next check sees a write in between.
      const version = versionOf(await stat(this.#path))
      if (version === this.#version) return false
      const text = await readFile(this.#path, 'utf8')
      if (!this.#isGood(text)) return false
      this.#version = version
      const isNew = text !== this.text
      this.text = text
      return isNew
    } catch {
      return false
    }
  }
}

/** Of the file behind a link: another file, content or time makes another version. */
function versionOf({ dev, ino, size, mtimeMs, ctimeMs }: Stats): string {
  return `${dev} ${ino} ${size} ${mtimeMs} ${ctimeMs}`
}
