// recovery/kubernetes/cluster-access.ts: how to reach an API server and authenticate, whichever file that comes from, and
// how such files are read. Reasons name files but never quote them, because they hold tokens and keys.
import type { TlsMaterial } from '../../platform/network/outbound-connect.ts'
import { readTrustedFile } from '../../platform/regular-file.ts'

export interface ClusterAccess {
  /** A URL without a trailing slash. */
  readonly server: string
  /** Null if a client certificate is used, or no authentication. */
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

/** Far above any kubeconfig, token or certificate chain. */
const MAX_FILE_BYTES = 1024 * 1024

/**
 * Throws CannotAccess, with the same words whatever is wrong, so that a reader of the reason does not learn which files
 * this machine has. Reads the file each time, because a cluster renews the tokens that it puts into files.
 */
export async function readSmallFile(path: string): Promise<string> {
  const content = await readTrustedFile(path, { maxBytes: MAX_FILE_BYTES })
  if (content !== null) return content
  throw new CannotAccess(
    `the file ${path} cannot be used: it must be a regular file of at most 1 MiB that belongs to root or to the user of the service, and that the service can read`,
  )
}

/** Runs `read` and returns a CannotAccess as a value instead of throwing it. */
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
