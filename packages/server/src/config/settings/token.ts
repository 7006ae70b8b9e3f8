// config/settings/token.ts: reads the access token. The file beats the variable. A token that cannot be read, or that our
// own client would refuse, stops the start: falling back to no token would leave the service open.
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { UsageError } from '../../platform/usage-error.ts'

const shortest = 16
const longest = 4_096
const forOthers = 0o077

/**
 * Why this cannot be a token, as the rest of a sentence about its source; null if it can. The client has the same rule.
 */
export function tokenMistake(token: string): string | null {
  if (token === '') return 'is empty'
  if (/[\r\n]/.test(token)) return 'has more than one line; it must hold one token alone'
  if (/\s/.test(token)) return 'has spaces in it; it must hold one token alone'
  if (!/^[\x21-\x7e]+$/.test(token)) return 'must hold one token of visible ASCII characters'
  if (token.length < shortest)
    return `holds a token of fewer than ${shortest} characters; make a longer one, for example with openssl rand -hex 32`
  return token.length > longest
    ? `holds a token of more than ${longest} characters; make a shorter one`
    : null
}

export function readToken(
  file: string | null,
  environment: NodeJS.ProcessEnv,
  warn: (message: string) => void,
): string | null {
  const token = (
    file === null ? (environment['PULSEWARD_TOKEN'] ?? '') : contentOf(file, environment, warn)
  ).trim()
  if (file === null && token === '') return null
  const mistake = tokenMistake(token)
  if (mistake === null) return token
  throw new UsageError(`${file === null ? 'PULSEWARD_TOKEN' : `The token file ${file}`} ${mistake}.`)
}

function contentOf(file: string, environment: NodeJS.ProcessEnv, warn: (message: string) => void): string {
  try {
    const descriptor = openSync(file, 'r')
    try {
      const { mode } = fstatSync(descriptor)
      if (process.platform !== 'win32' && (mode & forOthers) !== 0 && !isCredential(file, environment))
        warn(
          `The token file ${file} is open to other users (mode ${(mode & 0o777).toString(8)}); run chmod 600 on it.`,
        )
      return readFileSync(descriptor, 'utf8')
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new UsageError(
      `The token file ${file} ${code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`}.`,
      { cause: error },
    )
  }
}

/**
 * Whether systemd loaded the file as a credential of this service. Only the service can read it, through an
 * access control list that shows up as group permissions in the mode.
 */
function isCredential(file: string, { CREDENTIALS_DIRECTORY: folder = '' }: NodeJS.ProcessEnv): boolean {
  return folder !== '' && dirname(resolve(file)) === resolve(folder)
}
