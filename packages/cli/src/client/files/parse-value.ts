// client/files/parse-value.ts: parses YAML or JSON into a value. Text that looks like a date stays text.
// Error messages do not quote the input: it may contain a secret.
import { yamlSentence } from '@pulseward/contract/yaml-words'
import { UsageError, YamlPlaces } from '@pulseward/server'
import { CORE_SCHEMA, load, YAMLException } from 'js-yaml'

export class UnreadableText extends Error {
  /** From 1, within the text. */
  readonly line: number

  constructor(message: string, line: number) {
    super(message)
    this.line = line
  }
}

/** Enough for sharing settings through anchors, far too few for a document that explodes when it is walked. */
const limits = { maxAliases: 1000, maxDepth: 64 }

export function parseYaml(text: string): unknown {
  try {
    return load(text, { schema: CORE_SCHEMA, ...limits })
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error
    const [mistake] = new YamlPlaces(text).mistakes
    if (mistake !== undefined) throw new UnreadableText(yamlSentence(mistake.message), mistake.line)
    throw new UnreadableText(reasonOf(error), (error.mark?.line ?? 0) + 1)
  }
}

/** For what only the strict parser refuses. Its reasons may quote a key or a tag; the quoted part is removed. */
function reasonOf({ reason }: YAMLException): string {
  return `is not valid YAML: ${reason.replace(/"[^"]*"|<[^>]*>/g, '…')}`
}

/** Parses the value of a flag or a small file. */
export function parseValue(text: string, place: string): unknown {
  try {
    return parseYaml(text)
  } catch (error) {
    if (error instanceof UnreadableText)
      throw new UsageError(`${place}:${error.line}: ${error.message.replace(/\.?$/, '.')}`)
    throw error
  }
}
