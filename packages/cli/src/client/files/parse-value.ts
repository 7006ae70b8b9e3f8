// client/files/parse-value.ts: YAML or JSON as a value. Words that look like dates stay words. What is wrong with it is
// told without quoting it: the text may hold a secret.
import { UsageError } from '@pulseward/server'
import { CORE_SCHEMA, load, YAMLException } from 'js-yaml'

export class UnreadableText extends Error {
  /** From 1, within the text. */
  readonly line: number

  constructor(message: string, line: number) {
    super(message)
    this.line = line
  }
}

/** Enough for sharing settings by anchors, far too few for a document that explodes when it is walked. */
const limits = { maxAliases: 1000, maxDepth: 64 }

export function parseYaml(text: string): unknown {
  try {
    return load(text, { schema: CORE_SCHEMA, ...limits })
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error
    throw new UnreadableText(reasonOf(error), (error.mark?.line ?? 0) + 1)
  }
}

/** Reasons of the parser may quote a key or a tag between quotes; what is quoted is left out. */
function reasonOf({ reason }: YAMLException): string {
  return `is not valid YAML: ${reason.replace(/"[^"]*"|<[^>]*>/g, '…')}`
}

/** Of a flag or a small file. */
export function parseValue(text: string, place: string): unknown {
  try {
    return parseYaml(text)
  } catch (error) {
    if (error instanceof UnreadableText) throw new UsageError(`${place}:${error.line}: ${error.message}.`)
    throw error
  }
}
