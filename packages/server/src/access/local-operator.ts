// access/local-operator.ts: how a command on this machine finds the token of the first operator. It gets the token only
// for the address at which the service of that data directory listens, and only from a directory that no other user can
// write to: such a user could name another address, or link to a secret of another user.
import { realpathSync, type Stats, statSync } from 'node:fs'
import { dataDirectory } from '../store/data-directory.ts'
import { readPrivately } from './private-file.ts'
import { addressInFiles } from './service-address.ts'
import { isWellFormed } from './token.ts'

export type OperatorSearch =
  | { readonly kind: 'found'; readonly token: string; readonly file: string }
  /** There is a token that must not be used; `why` is one whole sentence. */
  | { readonly kind: 'refused'; readonly why: string }
  /** There is no token for this address. The service of the directory may listen at another one. */
  | { readonly kind: 'none'; readonly listensAt: string | null }

const none: OperatorSearch = { kind: 'none', listensAt: null }
const othersMayWrite = 0o022
const mostTokenBytes = 4_096

/**
 * address: as the service names itself, such as http://127.0.0.1:8060. Never throws: without a token, the
 * command asks for one.
 */
export function findOperatorToken(root: string, address: string, user = process.getuid?.()): OperatorSearch {
  try {
    // Resolved once: a link could lead elsewhere a moment later.
    const files = dataDirectory(realpathSync(root))
    const listens = URL.parse(addressInFiles(files).read() ?? '')
    if (listens === null) return none
    const directory = statSync(files.root)
    const concern = concernAbout(root, directory, user)
    if (listens.origin !== URL.parse(address)?.origin)
      return concern === null ? { kind: 'none', listensAt: listens.origin } : none
    if (concern !== null) return { kind: 'refused', why: concern }
    return readToken(files.operatorToken, user === undefined ? undefined : directory.uid)
  } catch {
    return none
  }
}

/** Root may use the directory of any user: the token in it belongs to that user, too. */
function concernAbout(root: string, { mode, uid }: Stats, user: number | undefined): string | null {
  if (user === undefined) return null
  if (user !== 0 && uid !== user) return `The data directory ${root} belongs to another user.`
  if ((mode & othersMayWrite) === 0) return null
  return `Other users can write to the data directory ${root}; run chmod 700 on it.`
}

function readToken(file: string, owner: number | undefined): OperatorSearch {
  const content = readPrivately(file, mostTokenBytes, owner)
  if ('refused' in content) return { kind: 'refused', why: `${file} ${content.refused}.` }
  const token = content.text.trim()
  // Anything else must not be sent to a service.
  return isWellFormed(token) ? { kind: 'found', token, file } : none
}
