// client/table/color.ts: colors for words that already say what they mean; color is never the only sign. Only on a
// terminal, and not where NO_COLOR is set.
import type { Terminal } from '../../terminal.ts'

export type Color = 'red' | 'yellow' | 'green' | 'cyan' | 'gray' | 'bold'

const codes: Readonly<Record<Color, string>> = {
  red: '31',
  yellow: '33',
  green: '32',
  cyan: '36',
  gray: '90',
  bold: '1',
}

export type Paint = (text: string, color: Color | null) => string

export function paintFor({ stdout, environment }: Pick<Terminal, 'stdout' | 'environment'>): Paint {
  const isColored =
    stdout.isTerminal && (environment['NO_COLOR'] ?? '') === '' && environment['TERM'] !== 'dumb'
  return (text, color) => (isColored && color !== null ? `\u001b[${codes[color]}m${text}\u001b[0m` : text)
}

const colorsOfWords: Readonly<Record<string, Color>> = {
  up: 'green',
  healthy: 'green',
  ready: 'green',
  ok: 'green',
  completed: 'green',
  succeeded: 'green',
  incident: 'red',
  down: 'red',
  unhealthy: 'red',
  failed: 'red',
  'not ready': 'red',
  dead: 'red',
  ailing: 'red',
  open: 'red',
  red: 'red',
  rejected: 'red',
  conflict: 'red',
  dependencyBlocked: 'red',
  degraded: 'yellow',
  warning: 'yellow',
  limited: 'yellow',
  partial: 'yellow',
  yellow: 'yellow',
  unknown: 'yellow',
  verifying: 'cyan',
  cyan: 'cyan',
  disabled: 'gray',
  snoozed: 'gray',
  gray: 'gray',
  closed: 'gray',
  green: 'green',
  created: 'green',
  updated: 'cyan',
  unchanged: 'gray',
  cancelled: 'gray',
}

/** The color of a status word of the API, which may be the first of several, as in "snoozed until 15:00". */
export function colorOfWord(words: string): Color | null {
  const [word = ''] = words.split(' ', 1)
  return Object.hasOwn(colorsOfWords, word) ? colorsOfWords[word]! : null
}
