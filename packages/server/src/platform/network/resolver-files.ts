// platform/network/resolver-files.ts: /etc/resolv.conf and /etc/hosts, read again when they change: in place, by
// another file put under the name, or behind a symbolic link. A file that cannot be read, is empty or names no server
// while it is being rewritten counts as unchanged: the last good one stays in force.
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

  /** Servers that are configured take the place of the system's. */
  constructor(configured: readonly string[], paths: ResolverPaths = systemPaths) {
    this.#configured = configured
    this.#resolvConf = new FollowedFile(paths.resolvConf, namesServer)
    this.#hosts = new FollowedFile(paths.hosts, (text) => text.trim() !== '')
  }

  get config(): ResolverConfig {
    return resolverConfig({ resolvConf: this.#resolvConf.text, hosts: this.#hosts.text }, this.#configured)
  }

  /** Looks once; the configuration as it is now, or null when nothing has changed. Never rejects. */
  async look(): Promise<ResolverConfig | null> {
    const changes = await Promise.all([this.#resolvConf.look(), this.#hosts.look()])
    return changes.includes(true) ? this.config : null
  }
}

class FollowedFile {
  /** The last good content; empty when there was none, for a machine may have neither file. */
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
      // Before reading: what is written in between is then seen by the next look.
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

/** Of the file behind a link: another file, another content or other times make another version. */
function versionOf({ dev, ino, size, mtimeMs, ctimeMs }: Stats): string {
  return `${dev} ${ino} ${size} ${mtimeMs} ${ctimeMs}`
}
