// client/command-again.ts: the command line that continues something, ready to be pasted into a shell.
import type { ParsedArguments } from '../arguments.ts'

/** Repeats the given flags, with those in `changed` replaced. */
export function commandAgain(
  command: string,
  { flags }: ParsedArguments,
  changed: Readonly<Record<string, string>>,
): string {
  const words = [...flags].flatMap(([name, values]) =>
    Object.hasOwn(changed, name) ? [] : values.flatMap((value) => flagWords(name, value)),
  )
  const more = Object.entries(changed).flatMap(([name, value]) => flagWords(name, value))
  return ['pulseward', command, ...words, ...more].join(' ')
}

function flagWords(name: string, value: string): string[] {
  if (name === 'filename') return ['-f', quoted(value)]
  return value === 'true' ? [`--${name}`] : [`--${name}`, quoted(value)]
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
