// process/small-disk.ts: a real file system that is soon full: a few megabytes of memory, mounted for one process alone
// in name spaces of its own, so that it needs no rights and is gone with the process. Linux only; where the kernel
// does not allow it, `whyNoSmallDisk` says so in words.
import { spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const mountHere = 'mount -t tmpfs -o "size=$0,mode=700" tmpfs "$1" && shift && exec "$@"'

/** The words before a command that shall see a disk of this size in a folder. */
export function onSmallDisk(folder: string, bytes: number): readonly string[] {
  return ['unshare', '--user', '--map-root-user', '--mount', 'sh', '-c', mountHere, String(bytes), folder]
}

const mountReadOnly = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"'

/** The words before a command that shall find a folder, with all that is in it, on a read-only file system. */
export function onReadOnlyDisk(folder: string): readonly string[] {
  return ['unshare', '--user', '--map-root-user', '--mount', 'sh', '-c', mountReadOnly, folder]
}

/** Null where it works. */
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

  /** Takes all the space there is. */
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
