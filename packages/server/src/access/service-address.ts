// access/service-address.ts: the address of the service that owns a store, for commands on the same machine, which may
// send the operator's token there and nowhere else. The address file is valid exactly while its lock is held: it is
// written before the lock is taken, and the kernel releases the lock when the process dies. So a program that takes over
// the port of a stopped service is never mistaken for that service, and neither is one that starts in its directory.
import { rmSync } from 'node:fs'
import { FileLock } from '../platform/file-lock.ts'
import { replaceFile } from '../platform/replace-file.ts'
import type { DataDirectory } from '../store/data-directory.ts'
import { withStoreErrors } from '../store/store-errors.ts'
import { readPrivately } from './private-file.ts'

export interface ServiceAddress {
  /**
   * Recorded until disposed, which must happen before the listener closes. Only the owner of the store may
   * call it. Throws a StoreError if it cannot be written.
   */
  record(url: string): Disposable
  /** The URL of the service that owns the store; null if none does. Throws file system errors. */
  read(): string | null
}

/** A command that tests the lock holds it for a moment. */
const lockWaitMs = 1_000
const mostBytes = 4_096

export function addressInFiles({
  address,
  addressLock,
}: Pick<DataDirectory, 'address' | 'addressLock'>): ServiceAddress {
  return {
    record(url) {
      const lock = withStoreErrors(() => {
        replaceFile(address, `${url}\n`)
        return new FileLock(addressLock, lockWaitMs)
      })
      return {
        [Symbol.dispose]() {
          lock[Symbol.dispose]()
          rmSync(address, { force: true })
        },
      }
    },
    read() {
      if (!FileLock.isHeld(addressLock)) return null
      const content = readPrivately(address, mostBytes)
      return 'text' in content ? content.text.trim() : null
    },
  }
}
