// power-cut/lossy-disk.ts: a folder on a disk that loses unsynced data at a power cut. Names belong to their
// directory: a new file with synced bytes is lost unless its directory was synced too. Changes of one
// directory reach the disk in order, as in the journal of a file system; those of two directories in any
// order, but a file that is moved between them is always in at least one.
import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Random } from '../random.ts'
import type { DiskOperation } from './disk-operations.ts'
import { LossyFile } from './lossy-file.ts'

type Entries = Map<string, LossyFile | LossyDirectory>

/** A change of the names in one directory. */
interface NameChange {
  readonly directory: LossyDirectory
  readonly apply: (entries: Entries) => void
  /** Reaches the disk only after this one. */
  readonly after: NameChange | null
}

class LossyDirectory {
  readonly entries: Entries = new Map()
  #durable: Entries = new Map()
  #pending: NameChange[] = []
  #kept: readonly NameChange[] | null = null

  change(apply: NameChange['apply'], after: NameChange | null = null): NameChange {
    apply(this.entries)
    const change = { directory: this, apply, after }
    this.#pending.push(change)
    return change
  }

  sync(): void {
    this.#durable = new Map(this.entries)
    this.#pending = []
  }

  /** What is left after the power cut; repeated calls return the same. */
  survivors(random: Random): Entries {
    const entries = new Map(this.#durable)
    for (const { apply } of this.#keptChanges(random)) apply(entries)
    return entries
  }

  #keptChanges(random: Random): readonly NameChange[] {
    if (this.#kept !== null) return this.#kept
    const drawn = this.#pending.slice(0, random.whole(0, this.#pending.length))
    const missing = drawn.findIndex(({ after }) => after !== null && !after.directory.#keeps(after, random))
    this.#kept = missing === -1 ? drawn : drawn.slice(0, missing)
    return this.#kept
  }

  #keeps(change: NameChange, random: Random): boolean {
    return !this.#pending.includes(change) || this.#keptChanges(random).includes(change)
  }
}

export class LossyDisk {
  readonly #path: string
  readonly #root = new LossyDirectory()
  readonly #files = new Map<bigint, LossyFile>()

  /** Initially the folder exists and is empty. */
  constructor(path: string) {
    this.#path = path
  }

  take(operation: DiskOperation): void {
    switch (operation.kind) {
      case 'create':
        return this.#create(operation.path, operation.inode)
      case 'write':
      case 'truncate':
        return this.#files.get(operation.inode)!.change(operation)
      case 'sync': {
        const directory = this.#find(operation.path)
        if (directory instanceof LossyDirectory) directory.sync()
        else this.#files.get(operation.inode)!.sync()
        return
      }
      case 'rename':
        return this.#rename(operation.path, operation.target)
      case 'unlink':
        this.#parentOf(operation.path).change((entries) => entries.delete(basename(operation.path)))
        return
      case 'make-directory':
        return this.#link(operation.path, new LossyDirectory())
      case 'output':
        return
    }
  }

  /** Writes the folder as the disk holds it to another, empty folder. */
  writeAfterPowerCut(random: Random, to: string): void {
    const contents = new Map<LossyFile, Uint8Array>()
    const write = (directory: LossyDirectory, path: string) => {
      for (const [name, entry] of directory.survivors(random)) {
        const place = join(path, name)
        if (entry instanceof LossyFile) {
          // A file that has two names for a moment has the same bytes under both.
          if (!contents.has(entry)) contents.set(entry, entry.afterPowerCut(random))
          writeFileSync(place, contents.get(entry)!, { mode: 0o600 })
        } else {
          mkdirSync(place, { mode: 0o700 })
          write(entry, place)
        }
      }
    }
    write(this.#root, to)
  }

  /** Inode numbers are reused: from now on this number means this file. */
  #create(path: string, inode: bigint): void {
    const file = new LossyFile()
    this.#files.set(inode, file)
    this.#link(path, file)
  }

  #link(path: string, entry: LossyFile | LossyDirectory): void {
    this.#parentOf(path).change((entries) => entries.set(basename(path), entry))
  }

  #rename(path: string, target: string): void {
    const entry = this.#find(path)!
    const [from, to] = [this.#parentOf(path), this.#parentOf(target)]
    if (from !== to) {
      const arrival = to.change((entries) => entries.set(basename(target), entry))
      from.change((entries) => entries.delete(basename(path)), arrival)
    } else
      from.change((entries) => {
        entries.delete(basename(path))
        entries.set(basename(target), entry)
      })
  }

  #parentOf(path: string): LossyDirectory {
    return this.#find(dirname(path)) as LossyDirectory
  }

  #find(path: string): LossyFile | LossyDirectory | undefined {
    let found: LossyFile | LossyDirectory | undefined = this.#root
    const names = path
      .slice(this.#path.length)
      .split('/')
      .filter((name) => name !== '')
    for (const name of names) {
      if (!(found instanceof LossyDirectory)) return undefined
      found = found.entries.get(name)
    }
    return found
  }
}
