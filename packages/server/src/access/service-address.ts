// access/service-address.ts: where the service of a data directory listens, told to commands on the same machine, which may
// send the token of its operator there and nowhere else. The address is true exactly while its lock is held: it is
// written before the lock is taken, and the kernel releases the lock when the process dies. So a program that takes the
// port of a service that is gone is never taken for that service, and neither is one that starts in its directory.
import { rmSync } from 'node:fs'
import type { DataDirectory } from '../store/data-directory.ts'
import { OwnerLock } from '../store/sqlite/owner-lock.ts'
import { putInPlace, readPrivately, writePrivately } from './private-file.ts'

type AddressFiles = Pick<DataDirectory, 'address' | 'addressLock'>

/** A command that looks holds the lock for a moment. */
const lockWaitMs = 1_000
const mostBytes = 4_096

/**
 * Until it is disposed, which must happen before the listener closes. Only the owner of the data directory may call it.
 * Throws a StoreError when it cannot be written.
 */
export function recordAddress({ address, addressLock }: AddressFiles, url: string): Disposable {
  const partial = `${address}.partial`
  writePrivately(partial, `${url}\n`, address)
  putInPlace(partial, address)
  const lock = new OwnerLock(addressLock, lockWaitMs)
  return {
    [Symbol.dispose]() {
      lock[Symbol.dispose]()
      rmSync(address, { force: true })
    },
  }
}

/** The URL of the service that runs on the data directory; null when none does. Throws what the file system says. */
export function addressOfService({ address, addressLock }: AddressFiles): string | null {
  if (!OwnerLock.isHeld(addressLock)) return null
  const content = readPrivately(address, mostBytes)
  return 'text' in content ? content.text.trim() : null
}
