// scripts/clean-root/clean-root.ts: a Debian of its own for a test, in a temporary folder: `using root = CleanRoot.unpack(…)`.
// What runs in it sees nothing else of this machine but its devices and, where that is asked for, its network. Mounts are
// made in a name space of each process, and are gone with it.
import { execFileSync, spawnSync } from 'node:child_process'
import { type TemporaryFolder, temporaryFolder } from '@pulseward/testing'
import { asUser, type CommandEnd, longestMs, path, type RootCommand } from './root-command.ts'
import { RootProcess } from './root-process.ts'

export interface RootPlace {
  /** Only this folder and /tmp can be written; unless given, everything can. */
  readonly onlyWritable?: string
  /** The network of this machine, or one that has loopback alone, on which every port is free. */
  readonly network: 'shared' | 'own'
  /** Folders of this machine by where they are in the root, read-only. */
  readonly folders?: Readonly<Record<string, string>>
}

/** Runs in name spaces of its own, becomes the command, and so keeps its process id. */
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
  # As the container and Debian itself set it, so that pings need no capability.
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
    // mkdtemp keeps others out, and a service in the root is another user.
    execFileSync('chmod', ['755', folder.root])
    execFileSync('tar', ['-xf', archive, '--exclude=./dev/*', '-C', folder.root])
    return new CleanRoot(folder)
  }

  /** Where something of the root is on this machine. */
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

  /** Runs a command that ends by itself. */
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

/** Not what npm and the test runner have set, which programs would follow. */
function ofThisMachine(): NodeJS.ProcessEnv {
  return { PATH: path }
}
