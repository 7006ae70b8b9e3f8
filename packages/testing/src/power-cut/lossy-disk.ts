// testing/power-cut/lossy-disk.ts: a folder on a disk that loses at a power cut what was not synced. Names belong to
// their directory: a new file whose bytes were synced is lost with its name unless the directory was synced too. Changes
// of one directory get to the disk in their order, as in the journal of a file system; those of two in any order.
import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Random } from '../simulation/random.ts'
import type { DiskOperation } from './disk-operations.ts'
import { LossyFile } from './lossy-file.ts'

type Entries = Map<string, LossyFile | LossyDirectory>

class LossyDirectory {
  readonly entries: Entries = new Map()
  #durable: Entries = new Map()
  #pending: ((entries: Entries) => void)[] = []

  change(change: (entries: Entries) => void): void {
    change(this.entries)
    this.#pending.push(change)
  }

  sync(): void {
    this.#durable = new Map(this.entries)
    this.#pending = []
  }

  afterPowerCut(random: Random): Entries {
    const entries = new Map(this.#durable)
    const kept = random.whole(0, this.#pending.length)
    for (const change of this.#pending.slice(0, kept)) change(entries)
    return entries
  }
}

export class LossyDisk {
  readonly #path: string
  readonly #root = new LossyDirectory()
  readonly #files = new Map<bigint, LossyFile>()

  /** The folder is there and empty before anything happens. */
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
        return this.#parentOf(operation.path).change((entries) => entries.delete(basename(operation.path)))
      case 'make-directory':
        return this.#link(operation.path, new LossyDirectory())
      case 'output':
        return
    }
  }

  /** Writes the folder as the disk holds it to another, empty one. */
  writeAfterPowerCut(random: Random, to: string): void {
    const contents = new Map<LossyFile, Uint8Array>()
    const write = (directory: LossyDirectory, path: string) => {
      for (const [name, entry] of directory.afterPowerCut(random)) {
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

  /** Inodes are used again: from now on the number means this file. */
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
      to.change((entries) => entries.set(basename(target), entry))
      from.change((entries) => entries.delete(basename(path)))
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
