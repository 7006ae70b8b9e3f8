// config/settings/token.ts: the access token. The file beats the variable; an unreadable or empty file stops
// start-up, because falling back to no token would open the door.
import { readFileSync } from 'node:fs'
import { UsageError } from '../../platform/usage-error.ts'

export function readToken(file: string | null, environment: NodeJS.ProcessEnv): string | null {
  if (file === null) return environment['PULSEWARD_TOKEN'] || null
  let token: string
  try {
    token = readFileSync(file, 'utf8').trim()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new UsageError(
      `The token file ${file} ${code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`}.`,
      { cause: error },
    )
  }
  if (token === '') throw new UsageError(`The token file ${file} is empty.`)
  return token
}
