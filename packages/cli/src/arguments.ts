// arguments.ts: parses a command's flags and operands. An unknown flag, a missing value or a surplus one is a
// usage error in one sentence, which suggests the flag that was probably meant.
import { nearestName, UsageError } from '@pulseward/server'

export interface FlagSpec {
  /** `optional`: takes a value after an equals sign, one of the known values as the next word, or none. */
  readonly kind: 'value' | 'switch' | 'optional'
  readonly summary: string
  /** The allowed values, if they are known beforehand; shells complete them. */
  readonly values?: readonly string[]
  /** Shown in help as `--flag VALUE`; without it as `--flag a|b`. */
  readonly valueName?: string
  /** The single-letter form, after one dash. */
  readonly short?: string
  /** Earlier names that scripts may still use; neither help nor completion offers them. */
  readonly aliases?: readonly string[]
}

export interface ParsedArguments {
  /** All values of each flag, in order. A switch, and an optional value that is not given, is "true". */
  readonly flags: ReadonlyMap<string, readonly string[]>
  readonly operands: readonly string[]
}

export function parseArguments(
  words: readonly string[],
  specs: Readonly<Record<string, FlagSpec>>,
): ParsedArguments {
  const flags = new Map<string, string[]>()
  const operands: string[] = []
  const left = [...words]
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    if (word === '--') {
      operands.push(...left)
      break
    }
    if (!word.startsWith('-') || word === '-') {
      operands.push(word)
      continue
    }
    const { name, spec, attached } = splitFlag(word, specs)
    const value = attached ?? (takesNext(spec, left[0]) ? left.shift() : 'true')
    if (value === undefined || (attached === undefined && spec.kind === 'value' && value.startsWith('--')))
      throw new UsageError(`--${name} needs a value.`)
    flags.set(name, [...(flags.get(name) ?? []), value])
  }
  return { flags, operands }
}

function takesNext({ kind, values = [] }: FlagSpec, next = ''): boolean {
  return kind === 'value' || (kind === 'optional' && values.includes(next))
}

interface GivenFlag {
  readonly name: string
  readonly spec: FlagSpec
  /** The part after an equals sign. */
  readonly attached: string | undefined
}

function splitFlag(word: string, specs: Readonly<Record<string, FlagSpec>>): GivenFlag {
  const [dashed = '', ...rest] = word.split('=')
  const name = dashed.replace(/^--?/, '')
  const known = Object.entries(specs).find(
    ([flag, { short, aliases = [] }]) =>
      dashed === `-${short}` || [flag, ...aliases].some((one) => dashed === `--${one}`),
  )
  if (known !== undefined) {
    const [flag, spec] = known
    return { name: flag, spec, attached: rest.length > 0 ? rest.join('=') : undefined }
  }
  const nearest = nearestName(name, Object.keys(specs))
  throw new UsageError(
    `There is no flag ${dashed}.${nearest === null ? ' See --help.' : ` Did you mean --${nearest}?`}`,
  )
}

/** The last value wins, as expected by people who append a flag to a command. */
export function lastValue(parsed: ParsedArguments, name: string): string | null {
  return parsed.flags.get(name)?.at(-1) ?? null
}
