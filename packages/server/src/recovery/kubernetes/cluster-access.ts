// recovery/kubernetes/cluster-access.ts: how to reach an API server and how to authenticate, whichever file it comes
// from, and how such files are read. Reasons name files but never quote them: they hold tokens and keys.
import { open } from 'node:fs/promises'
import type { TlsMaterial } from '../../platform/network/outbound-connect.ts'

export interface ClusterAccess {
  /** A URL without a trailing slash. */
  readonly server: string
  /** Null: a client certificate is used, or no authentication. */
  readonly token: string | null
  readonly tls: TlsMaterial
}

/** Nothing was sent; the reason is for people. */
export class CannotAccess extends Error {
  readonly reason: string

  constructor(reason: string) {
    super(reason)
    this.reason = reason
  }
}

/** Far above any kubeconfig, token or chain of certificates. */
const MAX_FILE_BYTES = 1024 * 1024

/** Throws CannotAccess. Reads the file each time: a cluster renews the tokens that it puts into files. */
export async function readSmallFile(path: string): Promise<string> {
  try {
    await using file = await open(path)
    const { bytesRead, buffer } = await file.read(Buffer.alloc(MAX_FILE_BYTES + 1), 0, MAX_FILE_BYTES + 1, 0)
    if (bytesRead > MAX_FILE_BYTES) throw new CannotAccess(`the file ${path} is larger than 1 MiB`)
    return buffer.toString('utf8', 0, bytesRead)
  } catch (error) {
    if (error instanceof CannotAccess) throw error
    const { code } = error as NodeJS.ErrnoException
    throw new CannotAccess(
      code === 'ENOENT' ? `the file ${path} does not exist` : `the file ${path} cannot be read (${code})`,
    )
  }
}

/** Runs read and returns a CannotAccess as a value instead of throwing it. */
export async function accessOrReason(
  read: () => Promise<ClusterAccess>,
): Promise<ClusterAccess | CannotAccess> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof CannotAccess) return error
    throw error
  }
}
