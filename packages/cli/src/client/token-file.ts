// client/token-file.ts: the token of a client, from a file, stdin or a variable; never from an argument,
// which the shell history and every user of the machine could see. A file that all users can read is refused:
// with the token they could act as this user.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { tokenMistake, UsageError } from '@pulseward/server'
import type { Terminal } from '../terminal.ts'
import { standardInput } from './files/source-files.ts'

const mostBytes = 8_192
const readableByOthers = 0o004

/** The file overrides the variable. */
export async function readClientToken(
  file: string | null,
  { environment, stdin }: Pick<Terminal, 'environment' | 'stdin'>,
): Promise<string | null> {
  if (file === standardInput) return checked(await firstOf(stdin), 'Stdin, of --token-file -,')
  if (file !== null) return checked(contentOf(file), `The token file ${file}`)
  const variable = environment['PULSEWARD_TOKEN']?.trim()
  return variable ? checked(variable, 'PULSEWARD_TOKEN') : null
}

function checked(text: string, place: string): string {
  const token = text.trim()
  const mistake = tokenMistake(token)
  if (mistake === null) return token
  throw new UsageError(`${place} ${mistake}.`)
}

/** Reads to the end, so that a second line is noticed. */
async function firstOf(stdin: AsyncIterable<Uint8Array>): Promise<string> {
  let text = ''
  for await (const chunk of stdin) {
    text += Buffer.from(chunk).toString('latin1')
    if (text.length > mostBytes) throw new UsageError('Stdin, of --token-file -, has more than one token.')
  }
  return text
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
    // Checks the open file, so that it cannot be swapped between the check and the read.
    const { mode } = fstatSync(descriptor)
    if (process.platform !== 'win32' && (mode & readableByOthers) !== 0)
      throw new UsageError(`The token file ${file} can be read by all users; run chmod 600 on it.`)
    const buffer = Buffer.alloc(mostBytes)
    return buffer.toString('utf8', 0, readSync(descriptor, buffer))
  } finally {
    closeSync(descriptor)
  }
}
