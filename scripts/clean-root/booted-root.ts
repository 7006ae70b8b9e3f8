// scripts/clean-root/booted-root.ts: a separate, booted Debian: its systemd runs as process 1 of a container that
// systemd-nspawn makes, with a separate network. It needs no systemd on this machine, and ends with its scope.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { eventually } from '@pulseward/testing'
import type { CleanRoot } from './clean-root.ts'
import { asUser, type CommandEnd, longestMs, path } from './root-command.ts'

const enter = '--mount --cgroup --net --pid --fork --kill-child'.split(' ')

/** The machine may have its controllers in cgroup v1, which the systemd of Debian 13 refuses; cgroup v2 is enough. */
const mountControlGroups = `
umount --lazy /sys/fs/cgroup 2>/dev/null || true
mount -t cgroup2 cgroup2 /sys/fs/cgroup
`
const boot = `
${mountControlGroups}
mkdir /sys/fs/cgroup/$2
echo $$ > /sys/fs/cgroup/$2/cgroup.procs
mkdir -p /run/systemd/nspawn
exec systemd-nspawn --quiet --register=no --keep-unit --directory="$1" --private-network --boot --console=pipe
`
const removeControlGroup = `
${mountControlGroups}
find /sys/fs/cgroup/$1 -depth -type d -exec rmdir {} +
`

/** Null if it works here; debianRoot checks for mmdebstrap and similar programs. */
export function whyNoBoot(): string | null {
  const words = [...enter, 'sh', '-ec', mountControlGroups]
  const { status, stderr } = spawnSync('unshare', words, { encoding: 'utf8' })
  return status === 0 ? null : `no Debian can be booted here: ${stderr.trim().split('\n').at(-1)}`
}

export class BootedRoot implements AsyncDisposable {
  readonly root: CleanRoot
  readonly #container: ChildProcess
  readonly #controlGroup: string
  /** Process id of the systemd inside. */
  #leader = 0

  private constructor(root: CleanRoot) {
    this.root = root
    this.#controlGroup = `pulseward-test-${process.pid}-${performance.now().toFixed(0)}`
    const words = ['sh', '-ec', boot, 'boot', root.path(''), this.#controlGroup]
    this.#container = spawn('unshare', [...enter, ...words], { env: { PATH: path }, stdio: 'ignore' })
  }

  static async start(root: CleanRoot): Promise<BootedRoot> {
    const booted = new BootedRoot(root)
    try {
      booted.#leader = await eventually(() => findSystemd(booted.#container.pid!))
      await eventually(() => {
        const { output } = booted.run('systemctl', 'is-system-running')
        if (!/^(running|degraded)/.test(output)) throw new Error(`the Debian is not booted: ${output}`)
      })
      // Debian 13 does this at boot; in a container it is not allowed to.
      const allowPings = 'echo 0 2147483647 > /proc/sys/net/ipv4/ping_group_range'
      spawnSync('nsenter', [`--target=${booted.#leader}`, '--net', 'sh', '-c', allowPings])
      return booted
    } catch (error) {
      await booted[Symbol.asyncDispose]()
      throw error
    }
  }

  /** Runs a command to its end, as root. */
  run(...words: readonly string[]): CommandEnd {
    const command = asUser({ words })
    const { status, stdout, stderr } = spawnSync(
      'nsenter',
      [`--target=${this.#leader}`, '--all', ...command],
      {
        encoding: 'utf8',
        env: { PATH: path },
        timeout: longestMs,
      },
    )
    return { status, output: stdout + stderr }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#container.exitCode === null && this.#container.signalCode === null) {
      // Everything that it started ends with it.
      this.#container.kill('SIGKILL')
      await once(this.#container, 'exit')
    }
    const words = ['--mount', '--cgroup', 'sh', '-ec', removeControlGroup, 'remove', this.#controlGroup]
    await eventually(() => {
      const { status, stderr } = spawnSync('unshare', words, { encoding: 'utf8' })
      if (status !== 0 && !stderr.includes('No such file')) throw new Error(stderr)
    })
  }
}

function findSystemd(ancestor: number): number {
  const { stdout } = spawnSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' })
  const parents = stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
  let generation = [ancestor]
  while (generation.length > 0) {
    const found = generation.find((pid) => readFileSync(`/proc/${pid}/comm`, 'utf8') === 'systemd\n')
    if (found !== undefined) return found
    generation = parents.flatMap(([pid, parent]) => (generation.includes(parent!) ? [pid!] : []))
  }
  throw new Error('the Debian does not boot: there is no systemd in it')
}
