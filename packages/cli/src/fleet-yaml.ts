// fleet-yaml.ts: how the commands write fleet files. Plain words and numbers, which make up nearly all of a
// large fleet, are written here: the library takes several times as long for the same text.
import { CORE_SCHEMA, dump, mergeTag } from 'js-yaml'

/** Text that the schema of fleet files would read as another type is quoted. */
const style = { schema: CORE_SCHEMA.withTags(mergeTag), noRefs: true, lineWidth: -1 }

export function fleetYaml(value: object): string {
  if (!Array.isArray(value)) return dump(value, style)
  return value.map((item) => plainEntry(item) ?? dump([item], style)).join('')
}

export function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '  ')
}

function plainEntry(item: unknown): string | null {
  try {
    return isFilled(item) ? `- ${block(item, '  ')}` : null
  } catch (error) {
    if (error instanceof NotPlain) return null
    throw error
  }
}

class NotPlain extends Error {}

/** One instance: some fleets throw it a hundred thousand times, and its stack would cost more than the text. */
const notPlain = new NotPlain()

/** Whether a list or mapping has entries; empty ones are written on one line. */
function isFilled(value: unknown): value is Record<string, unknown> | readonly unknown[] {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0
}

/** The caller has already written the indent of the first line. */
function block(value: Record<string, unknown> | readonly unknown[], indent: string): string {
  let text = ''
  let lead = ''
  if (Array.isArray(value)) {
    for (const item of value) {
      text += `${lead}- ${isFilled(item) ? block(item, `${indent}  `) : `${scalar(item)}\n`}`
      lead = indent
    }
    return text
  }
  for (const [key, inner] of Object.entries(value)) {
    text += `${lead}${scalar(key)}:`
    text += isFilled(inner) ? `\n${indent}  ${block(inner, `${indent}  `)}` : ` ${scalar(inner)}\n`
    lead = indent
  }
  return text
}

const plainWords = /^[A-Za-z_/$][A-Za-z0-9_./+-]*(?:(?:[ ]|:\/\/|:)[A-Za-z0-9_(][A-Za-z0-9_./+()-]*)*$/
const plainAmount = /^[0-9]{1,9}(?:(?:ms|s|m|h)|-[0-9]{1,9})$/
/** Read as another type than text, in upper or lower case. */
const meaningful = /^(?:true|false|null|yes|no|on|off|y|n)$/i

function scalar(value: unknown): string {
  if (typeof value === 'boolean' || (Number.isInteger(value) && Math.abs(value as number) < 1e9))
    return String(value)
  if (typeof value !== 'string' || value.length > 200 || meaningful.test(value)) throw notPlain
  if (plainWords.test(value) || plainAmount.test(value)) return value
  throw notPlain
}
