// scripts/command-line/flags.ts: the kinds of flags that a script can have. A flag knows its default, parses
// its text and says what is wrong with it; --help is written from the same table.

/** The command line is wrong: a sentence for the terminal and exit code 2. */
export class UsageError extends Error {}

export interface Flag<Value> {
  readonly about: string
  /** The placeholder of its value in the help; null for a switch. */
  readonly placeholder: string | null
  readonly fallback: Value
  /** The default in words; null if the description says what happens without the flag. */
  readonly defaultText: string | null
  /** Gets every given text in order: a flag may be repeated, and the last one counts unless it is a list. */
  readonly read: (texts: readonly string[], name: string) => Value
}

export type FlagTable = Readonly<Record<string, Flag<unknown>>>
export type FlagValues<Table extends FlagTable> = {
  readonly [Name in keyof Table]: Table[Name] extends Flag<infer Value> ? Value : never
}

export function toggle(about: string): Flag<boolean> {
  return { about, placeholder: null, fallback: false, defaultText: null, read: () => true }
}

/** Without a fallback, the description says what happens if the flag is not given. */
export function text(placeholder: string, fallback: string, about: string): Flag<string>
export function text(placeholder: string, fallback: null, about: string): Flag<string | null>
export function text(placeholder: string, fallback: string | null, about: string): Flag<string | null> {
  return { about, placeholder, fallback, defaultText: fallback, read: lastOf }
}

export function wholeNumber(fallback: number, about: string, least?: number): Flag<number>
export function wholeNumber(fallback: null, about: string, least?: number): Flag<number | null>
export function wholeNumber(fallback: number | null, about: string, least = 1): Flag<number | null> {
  const read = (texts: readonly string[], name: string) => {
    const given = lastOf(texts)
    const number = Number(given)
    if (!/^\d+$/.test(given) || !Number.isSafeInteger(number) || number < least)
      throw new UsageError(`--${name} needs a whole number from ${least} on, not ${quoted(given)}.`)
    return number
  }
  return { about, placeholder: 'N', fallback, defaultText: fallback === null ? null : String(fallback), read }
}

export function percent(fallback: number, about: string): Flag<number> {
  const read = (texts: readonly string[], name: string) => {
    const given = lastOf(texts)
    const number = Number(given.replace(/%$/, ''))
    if (!/^\d+(\.\d+)?%?$/.test(given) || number > 100)
      throw new UsageError(`--${name} needs a percentage such as 2%, not ${quoted(given)}.`)
    return number
  }
  return { about, placeholder: 'PERCENT', fallback, defaultText: `${fallback}%`, read }
}

/** In seconds. */
export function duration(fallbackSeconds: number, about: string): Flag<number> {
  const read = (texts: readonly string[], name: string) => {
    const [, number, unit] = /^(\d+)(s|m)$/.exec(lastOf(texts)) ?? []
    if (number === undefined || Number(number) === 0)
      throw new UsageError(`--${name} needs a duration such as 20s or 1m, not ${quoted(lastOf(texts))}.`)
    return Number(number) * (unit === 'm' ? 60 : 1)
  }
  return {
    about,
    placeholder: 'DURATION',
    fallback: fallbackSeconds,
    defaultText: `${fallbackSeconds}s`,
    read,
  }
}

export function oneOf<const Choice extends string>(
  choices: readonly Choice[],
  fallback: Choice,
  about: string,
): Flag<Choice> {
  const read = (texts: readonly string[], name: string) => known(choices, lastOf(texts), name)
  return { about, placeholder: choices.join('|'), fallback, defaultText: fallback, read }
}

/** Separated by commas, or by repeating the flag; all of them if it is not given. */
export function someOf<const Choice extends string>(
  placeholder: string,
  choices: readonly Choice[],
  about: string,
): Flag<readonly Choice[]> {
  const read = (texts: readonly string[], name: string) =>
    texts.flatMap((given) => given.split(',')).map((word) => known(choices, word, name))
  return {
    about: `${about}: ${choices.join(', ')}`,
    placeholder: `${placeholder},…`,
    fallback: choices,
    defaultText: 'all',
    read,
  }
}

function known<Choice extends string>(choices: readonly Choice[], word: string, name: string): Choice {
  const choice = choices.find((one) => one === word)
  if (choice === undefined)
    throw new UsageError(`--${name} does not know ${quoted(word)}; choose from ${choices.join(', ')}.`)
  return choice
}

/** A flag that was given has at least one text. */
function lastOf(texts: readonly string[]): string {
  return texts.at(-1) ?? ''
}

function quoted(given: string): string {
  return `“${given}”`
}
