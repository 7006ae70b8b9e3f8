// process/small-disk.ts: a real file system that fills up quickly: a few megabytes of memory, mounted for a
// single process in separate namespaces, so that it needs no privileges and disappears with the process.
// Linux only; if the kernel does not allow it, `whyNoSmallDisk` says so.
import { spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const mountHere = 'mount -t tmpfs -o "size=$0,mode=700" tmpfs "$1" && shift && exec "$@"'

/** The arguments before a command that shall see a disk of this size in a folder. */
export function onSmallDisk(folder: string, bytes: number): readonly string[] {
  return ['unshare', '--user', '--map-root-user', '--mount', 'sh', '-c', mountHere, String(bytes), folder]
}

const mountReadOnly = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"'

/** The arguments before a command that shall see a folder, with its content, on a read-only file system. */
export function onReadOnlyDisk(folder: string): readonly string[] {
  return ['unshare', '--user', '--map-root-user', '--mount', 'sh', '-c', mountReadOnly, folder]
}

/** Null if it works here. */
export function whyNoSmallDisk(folder: string): string | null {
  const [program, ...words] = onSmallDisk(folder, 65_536)
  const { status, stderr, error } = spawnSync(program!, [...words, 'true'], { encoding: 'utf8' })
  if (status === 0) return null
  return `a small disk cannot be mounted here: ${error?.message ?? stderr.trim()}`
}

export class SmallDisk {
  readonly #ballast: string

  /** The disk as the process with this id sees it. */
  constructor(pid: number, folder: string) {
    this.#ballast = join(`/proc/${pid}/root`, folder, 'ballast')
  }

  /** Fills all free space. */
  fill(): void {
    const piece = Buffer.alloc(4_096)
    for (;;) {
      try {
        writeFileSync(this.#ballast, piece, { flag: 'a' })
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return
        throw error
      }
    }
  }

  free(): void {
    rmSync(this.#ballast)
  }
}
