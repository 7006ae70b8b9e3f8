// client/token-file.ts: the token of a client. The file beats the variable. A file that every user of the machine can
// read is refused: with the token they could act as this person.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { tokenMistake, UsageError } from '@pulseward/server'

const mostBytes = 8_192
const readableByOthers = 0o004

export function readClientToken(
  file: string | null,
  environment: Readonly<Record<string, string | undefined>>,
): string | null {
  const token = file === null ? (environment['PULSEWARD_TOKEN']?.trim() ?? '') : contentOf(file).trim()
  if (file === null && token === '') return null
  const mistake = tokenMistake(token)
  if (mistake === null) return token
  throw new UsageError(`${file === null ? 'PULSEWARD_TOKEN' : `The token file ${file}`} ${mistake}.`)
}

function contentOf(file: string): string {
  try {
    return readClosely(file)
  } catch (error) {
    if (error instanceof UsageError) throw error
    const { code } = error as NodeJS.ErrnoException
    const why = code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`
    throw new UsageError(`The token file ${file} ${why}.`, { cause: error })
  }
}

function readClosely(file: string): string {
  const descriptor = openSync(file, 'r')
  try {
    // Of the open file, so that no other can be put in its place between the look and the read.
    const { mode } = fstatSync(descriptor)
    if (process.platform !== 'win32' && (mode & readableByOthers) !== 0)
      throw new UsageError(`The token file ${file} can be read by all users; run chmod 600 on it.`)
    const buffer = Buffer.alloc(mostBytes)
    return buffer.toString('utf8', 0, readSync(descriptor, buffer))
  } finally {
    closeSync(descriptor)
  }
}
