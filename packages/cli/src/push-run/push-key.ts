// push-run/push-key.ts: the key of a push monitor: who knows it may report for the monitor, so it is read from a file or a
// variable and never written anywhere.
import { readFileSync } from 'node:fs'

const form = /^[A-Za-z0-9_-]{22,128}$/

export const usualVariable = 'PULSEWARD_PUSH_KEY'

/** Why nothing can be reported, as a sentence. */
export class NoKey extends Error {}

export function keyInFile(file: string): string {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new NoKey(
      `the key file ${file} ${code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`}`,
    )
  }
  return checked(text, `the key file ${file}`)
}

/** Null: the usual variable. The name is not repeated, because people may give the key itself. */
export function keyInVariable(
  name: string | null,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  const place = name === null ? `the variable ${usualVariable}` : 'the variable that --key-env names'
  const text = environment[name ?? usualVariable]
  if (text === undefined || text.trim() === '') throw new NoKey(`${place} is not set`)
  return checked(text, place)
}

function checked(text: string, place: string): string {
  const key = text.trim()
  if (form.test(key)) return key
  throw new NoKey(`${place} does not hold a key: that is 22 to 128 letters, digits, - and _ alone`)
}
