// process/on-terminal.ts: gives a command a terminal of its own, on systems that have the program `script`.
import { existsSync } from 'node:fs'

const program = '/usr/bin/script'

/** For tests that are skipped without one. */
export const hasTerminal = process.platform === 'linux' && existsSync(program)

/**
 * For RunningCommand: `{ through: onTerminal }`. The arguments must have no spaces. Both outputs arrive as stdout. As under
 * npm, the command ends with the program that started it: a terminal that closes only makes a service reload.
 */
export const onTerminal: readonly string[] = [
  '/usr/bin/env',
  'npm_lifecycle_event=test',
  '/bin/sh',
  '-c',
  `exec ${program} -qec "$*" /dev/null`,
  'sh',
]
