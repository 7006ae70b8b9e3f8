// scripts/clean-root/clean-root.ts: a separate Debian for a test, in a temporary folder:
// `using root = CleanRoot.unpack(…)`. A command in it sees nothing of this machine but its devices and, if
// asked for, its network. Mounts are made in a namespace of each process, and disappear with it.
import { execFileSync, spawnSync } from 'node:child_process'
import { type TemporaryFolder, temporaryFolder } from '@pulseward/testing'
import { asUser, type CommandEnd, longestMs, path, type RootCommand } from './root-command.ts'
import { RootProcess } from './root-process.ts'

export interface RootPlace {
  /** Only this folder and /tmp are writable; by default everything is. */
  readonly onlyWritable?: string
  /** The network of this machine, or a separate one with only loopback, on which every port is free. */
  readonly network: 'shared' | 'own'
  /** Read-only folders of this machine, by their path in the root. */
  readonly folders?: Readonly<Record<string, string>>
}

/** Runs in separate namespaces and replaces itself with the command, which keeps its process id. */
const enterRoot = `
root=$1 network=$2 writable=$3
shift 3
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
while [ "$1" != -- ]; do
  mount --bind "$1" "$root$2"
  mount -o remount,bind,ro "$root$2"
  shift 2
done
shift
if [ "$network" = own ]; then
  ip link set lo up
  # The container and Debian itself set this too, so that pings need no capability.
  echo '0 2147483647' > /proc/sys/net/ipv4/ping_group_range
fi
if [ -n "$writable" ]; then
  mount --bind "$root$writable" "$root$writable"
  mount -o remount,bind,ro "$root"
fi
exec chroot "$root" "$@"
`

export class CleanRoot implements Disposable {
  readonly #folder: TemporaryFolder

  private constructor(folder: TemporaryFolder) {
    this.#folder = folder
  }

  static unpack(archive: string): CleanRoot {
    const folder = temporaryFolder()
    // mkdtemp allows only its owner, but a service in the root runs as another user.
    execFileSync('chmod', ['755', folder.root])
    execFileSync('tar', ['-xf', archive, '--exclude=./dev/*', '-C', folder.root])
    return new CleanRoot(folder)
  }

  /** The path of a file of the root on this machine. */
  path(name: string): string {
    return this.#folder.path(name)
  }

  write(name: string, content: string | Uint8Array): void {
    this.#folder.write(name, content)
  }

  /** Copies a folder of this machine into the root. */
  copy(from: string, to: string): void {
    execFileSync('cp', ['--recursive', '--preserve=mode,links', from, this.#folder.path(to)])
  }

  /** Runs a command to its end. */
  run(command: RootCommand, place: RootPlace): CommandEnd {
    const [program, ...words] = this.#wordsOf(command, place)
    const options = { encoding: 'utf8', env: ofThisMachine(), timeout: longestMs } as const
    const { status, stdout, stderr } = spawnSync(program!, words, options)
    return { status, output: stdout + stderr }
  }

  start(command: RootCommand, place: RootPlace): RootProcess {
    return new RootProcess(this.#wordsOf(command, place), ofThisMachine())
  }

  #wordsOf(command: RootCommand, { onlyWritable = '', network, folders = {} }: RootPlace): readonly string[] {
    const nameSpaces = ['--mount', ...(network === 'own' ? ['--net'] : [])]
    const mounts = Object.entries(folders).flatMap(([inRoot, here]) => [here, inRoot])
    const place = [this.#folder.root, network, onlyWritable, ...mounts, '--']
    return ['unshare', ...nameSpaces, 'sh', '-ec', enterRoot, 'enter-root', ...place, ...asUser(command)]
  }

  [Symbol.dispose](): void {
    this.#folder[Symbol.dispose]()
  }
}

/** Without the variables of npm and the test runner, which programs would follow. */
function ofThisMachine(): NodeJS.ProcessEnv {
  return { PATH: path }
}
