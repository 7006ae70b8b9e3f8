// platform/json-schema/compile-schema.ts: compiles the schema of a job type, or reports everything that is
// wrong with it. Unknown keywords are refused instead of ignored: a rule that is not enforced is worse than
// none. Nothing is fetched, and patterns run in linear time.
import { canonicalJson } from '../json/canonical-json.ts'
import { isJsonObject, type Json, type JsonObject, ownValue, pointerBelow } from '../json/json.ts'
import { LinearRegex } from '../linear-regex/linear-regex.ts'
import { evaluate } from './evaluate.ts'
import { isDeeperThan } from './nesting.ts'
import {
  type CompiledSchema,
  type ListRules,
  type NumberRules,
  type ObjectRules,
  type Pattern,
  type SchemaBounds,
  type SchemaMistake,
  type SchemaNode,
  type TextRules,
  type TypeName,
  typeNames,
} from './schema.ts'

export type SchemaCompilation =
  | { readonly schema: CompiledSchema; readonly mistakes: readonly [] }
  | { readonly schema: null; readonly mistakes: readonly SchemaMistake[] }

/** Bounds the nesting of objects and lists, so that compiling and evaluating cannot overflow the stack. */
const deepestSchema = 48
/** Each is compiled to up to a thousand instructions. */
const mostPatterns = 64
const mostMistakes = 100
/** Longer lists of allowed values are not shown. */
const longestShown = 200

const dialect = 'https://json-schema.org/draft/2020-12/schema'
const referencePrefix = '#/$defs/'

/** The pointers of mistakes lead into the schema. */
export function compileSchema(schema: Json, bounds: SchemaBounds): SchemaCompilation {
  const refusal = tooLarge(schema, bounds)
  if (refusal !== null) return { schema: null, mistakes: [refusal] }
  const compiler = new Compiler()
  const root = compiler.root(schema)
  const { mistakes } = compiler
  if (mistakes.length > 0) return { schema: null, mistakes: mistakes.slice(0, mostMistakes) }
  return { schema: { mistakes: (value) => evaluate(root, value, bounds.valueDepth) }, mistakes: [] }
}

function tooLarge(schema: Json, { bytes }: SchemaBounds): SchemaMistake | null {
  if (isDeeperThan(schema, deepestSchema))
    return { pointer: '', reason: 'tooDeep', message: `is nested deeper than ${deepestSchema}` }
  if (Buffer.byteLength(canonicalJson(schema)) > bytes)
    return { pointer: '', reason: 'tooLong', message: `is larger than ${bytes / 1024} KiB` }
  return null
}

class Compiler {
  readonly mistakes: SchemaMistake[] = []
  readonly #definitions = new Map<string, SchemaNode>()
  #patterns = 0

  root(schema: Json): SchemaNode {
    const definitions = isJsonObject(schema) ? ownValue(schema, '$defs') : undefined
    if (definitions !== undefined && isJsonObject(definitions)) {
      const names = Object.keys(definitions)
      // All definitions exist before the first is compiled: they may refer to each other, and to themselves.
      for (const name of names) this.#definitions.set(name, {})
      for (const [name, node] of this.#definitions)
        this.#fill(node, definitions[name] ?? null, pointerBelow('/$defs', name))
    }
    const node: SchemaNode = {}
    this.#fill(node, schema, '')
    return node
  }

  #schema(schema: Json, pointer: string): SchemaNode {
    const node: SchemaNode = {}
    this.#fill(node, schema, pointer)
    return node
  }

  #fill(node: SchemaNode, schema: Json, pointer: string): void {
    if (schema === true) return
    if (schema === false) {
      node.isFalse = true
      return
    }
    if (!isJsonObject(schema))
      return this.#refuse(pointer, 'wrongType', 'must be a schema: an object, true or false')
    for (const key of Object.keys(schema))
      if (!keywords.has(key))
        this.#refuse(
          pointerBelow(pointer, key),
          'unknownField',
          'is not a keyword that schemas of job types may use',
        )
    this.#annotations(schema, pointer)
    node.types = this.#types(schema, pointer)
    this.#values(node, schema, pointer)
    node.reference = this.#reference(schema, pointer)
    node.numbers = this.#numbers(schema, pointer)
    node.texts = this.#texts(schema, pointer)
    node.lists = this.#lists(schema, pointer)
    node.objects = this.#objects(schema, pointer)
    node.allOf = this.#alternatives(schema, 'allOf', pointer)
    node.anyOf = this.#alternatives(schema, 'anyOf', pointer)
    node.oneOf = this.#alternatives(schema, 'oneOf', pointer)
    node.not = this.#inner(schema, 'not', pointer)
  }

  /** Annotations do not constrain values, but must still have the types that the standard requires. */
  #annotations(schema: JsonObject, pointer: string): void {
    const at = (key: string) => pointerBelow(pointer, key)
    for (const key of ['title', 'description', '$comment', 'format'])
      if (!['string', 'undefined'].includes(typeof ownValue(schema, key)))
        this.#refuse(at(key), 'wrongType', 'must be text')
    if (!['boolean', 'undefined'].includes(typeof ownValue(schema, 'deprecated')))
      this.#refuse(at('deprecated'), 'wrongType', 'must be true or false')
    if (!Array.isArray(ownValue(schema, 'examples') ?? []))
      this.#refuse(at('examples'), 'wrongType', 'must be a list')
    const used = ownValue(schema, '$schema')
    if (used !== undefined && (pointer !== '' || (used !== dialect && used !== `${dialect}#`)))
      this.#refuse(at('$schema'), 'notAllowed', `must be ${dialect}, and stand at the top`)
    const definitions = ownValue(schema, '$defs')
    if (definitions === undefined) return
    if (!isJsonObject(definitions)) this.#refuse(at('$defs'), 'wrongType', 'must be an object of schemas')
    else if (pointer !== '')
      this.#refuse(at('$defs'), 'notAllowed', 'must stand at the top, where references look for it')
  }

  #types(schema: JsonObject, pointer: string): readonly TypeName[] | undefined {
    const given = ownValue(schema, 'type')
    if (given === undefined) return undefined
    const list = Array.isArray(given) ? given : [given]
    const known = list.filter((name): name is TypeName => (typeNames as readonly unknown[]).includes(name))
    if (known.length === list.length && list.length > 0 && new Set(list).size === list.length) return known
    const message = `must be one of ${typeNames.join(', ')}, or a list of some of them`
    this.#refuse(pointerBelow(pointer, 'type'), 'notAllowed', message)
    return undefined
  }

  #values(node: SchemaNode, schema: JsonObject, pointer: string): void {
    const listed = ownValue(schema, 'enum')
    const single = ownValue(schema, 'const')
    if (listed === undefined && single === undefined) return
    if (listed !== undefined && (!Array.isArray(listed) || listed.length === 0))
      return this.#refuse(pointerBelow(pointer, 'enum'), 'wrongType', 'must be a list of at least one value')
    const texts = Array.isArray(listed) ? listed.map(canonicalJson) : null
    const only = single === undefined ? null : canonicalJson(single)
    const allowed = texts === null ? [only ?? ''] : texts.filter((text) => only === null || text === only)
    node.values = new Set(allowed)
    const shown = allowed.join(', ')
    node.shownValues = shown !== '' && shown.length <= longestShown ? shown : null
  }

  #reference(schema: JsonObject, pointer: string): SchemaNode | undefined {
    const given = ownValue(schema, '$ref')
    if (given === undefined) return undefined
    const at = pointerBelow(pointer, '$ref')
    const name = typeof given === 'string' ? referredName(given) : null
    if (name === null) {
      this.#refuse(at, 'notAllowed', `must be ${referencePrefix} and a name; other documents are not read`)
      return undefined
    }
    const found = this.#definitions.get(name)
    if (found === undefined) this.#refuse(at, 'notFound', 'names a schema that is not in $defs')
    return found
  }

  #numbers(schema: JsonObject, pointer: string): NumberRules | undefined {
    const number = (key: string) => this.#number(schema, key, pointer)
    const multipleOf = number('multipleOf')
    if (multipleOf !== undefined && multipleOf <= 0)
      this.#refuse(pointerBelow(pointer, 'multipleOf'), 'tooSmall', 'must be more than 0')
    return someRules<NumberRules>({
      minimum: number('minimum'),
      maximum: number('maximum'),
      exclusiveMinimum: number('exclusiveMinimum'),
      exclusiveMaximum: number('exclusiveMaximum'),
      multipleOf,
    })
  }

  #texts(schema: JsonObject, pointer: string): TextRules | undefined {
    const pattern = ownValue(schema, 'pattern')
    return someRules<TextRules>({
      minLength: this.#count(schema, 'minLength', pointer),
      maxLength: this.#count(schema, 'maxLength', pointer),
      pattern: pattern === undefined ? undefined : this.#pattern(pattern, pointerBelow(pointer, 'pattern')),
    })
  }

  #lists(schema: JsonObject, pointer: string): ListRules | undefined {
    const unique = ownValue(schema, 'uniqueItems')
    if (unique !== undefined && typeof unique !== 'boolean')
      this.#refuse(pointerBelow(pointer, 'uniqueItems'), 'wrongType', 'must be true or false')
    return someRules<ListRules>({
      minItems: this.#count(schema, 'minItems', pointer),
      maxItems: this.#count(schema, 'maxItems', pointer),
      uniqueItems: unique === true ? true : undefined,
      prefixItems: this.#alternatives(schema, 'prefixItems', pointer),
      items: this.#inner(schema, 'items', pointer),
    })
  }

  #objects(schema: JsonObject, pointer: string): ObjectRules | undefined {
    const properties = this.#members(schema, 'properties', pointer)
    const patterned = this.#members(schema, 'patternProperties', pointer)
    return someRules<ObjectRules>({
      minProperties: this.#count(schema, 'minProperties', pointer),
      maxProperties: this.#count(schema, 'maxProperties', pointer),
      required: this.#required(schema, pointer),
      properties: properties === undefined ? undefined : new Map(properties),
      patternProperties: patterned?.flatMap(([source, node]) => {
        const at = pointerBelow(pointerBelow(pointer, 'patternProperties'), source)
        const pattern = this.#pattern(source, at)
        return pattern === undefined ? [] : [[pattern, node] as const]
      }),
      additionalProperties: this.#inner(schema, 'additionalProperties', pointer),
      propertyNames: this.#inner(schema, 'propertyNames', pointer),
    })
  }

  #required(schema: JsonObject, pointer: string): readonly string[] | undefined {
    const given = ownValue(schema, 'required')
    if (given === undefined) return undefined
    if (Array.isArray(given) && given.every((name) => typeof name === 'string')) return [...new Set(given)]
    this.#refuse(pointerBelow(pointer, 'required'), 'wrongType', 'must be a list of names')
    return undefined
  }

  #members(schema: JsonObject, key: string, pointer: string): [string, SchemaNode][] | undefined {
    const given = ownValue(schema, key)
    if (given === undefined) return undefined
    const at = pointerBelow(pointer, key)
    if (!isJsonObject(given)) {
      this.#refuse(at, 'wrongType', 'must be an object of schemas')
      return undefined
    }
    return Object.entries(given).map(([name, inner]) => [name, this.#schema(inner, pointerBelow(at, name))])
  }

  #alternatives(schema: JsonObject, key: string, pointer: string): readonly SchemaNode[] | undefined {
    const given = ownValue(schema, key)
    if (given === undefined) return undefined
    const at = pointerBelow(pointer, key)
    if (Array.isArray(given) && given.length > 0)
      return given.map((inner, index) => this.#schema(inner, pointerBelow(at, index)))
    this.#refuse(at, 'wrongType', 'must be a list of at least one schema')
    return undefined
  }

  #inner(schema: JsonObject, key: string, pointer: string): SchemaNode | undefined {
    const given = ownValue(schema, key)
    return given === undefined ? undefined : this.#schema(given, pointerBelow(pointer, key))
  }

  #number(schema: JsonObject, key: string, pointer: string): number | undefined {
    const given = ownValue(schema, key)
    if (given === undefined || typeof given === 'number') return given
    this.#refuse(pointerBelow(pointer, key), 'wrongType', 'must be a number')
    return undefined
  }

  #count(schema: JsonObject, key: string, pointer: string): number | undefined {
    const given = this.#number(schema, key, pointer)
    if (given !== undefined && (!Number.isInteger(given) || given < 0))
      this.#refuse(pointerBelow(pointer, key), 'rule', 'must be a whole number, and not below 0')
    return given
  }

  #pattern(source: Json, pointer: string): Pattern | undefined {
    if (typeof source !== 'string') {
      this.#refuse(pointer, 'wrongType', 'must be text')
      return undefined
    }
    this.#patterns++
    if (this.#patterns > mostPatterns) {
      if (this.#patterns === mostPatterns + 1)
        this.#refuse(pointer, 'tooMany', `is one pattern too many; a schema may have ${mostPatterns}`)
      return undefined
    }
    try {
      return { source, regex: new LinearRegex(source) }
    } catch (error) {
      this.#refuse(
        pointer,
        'malformed',
        `is not a regular expression that can be used: ${(error as Error).message}`,
      )
      return undefined
    }
  }

  #refuse(pointer: string, reason: SchemaMistake['reason'], message: string): void {
    this.mistakes.push({ pointer, reason, message })
  }
}

const keywords: ReadonlySet<string> = new Set(
  `$schema $defs $ref $comment title description default examples deprecated format type enum const
  minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern
  minItems maxItems uniqueItems prefixItems items minProperties maxProperties required properties
  patternProperties additionalProperties propertyNames allOf anyOf oneOf not`.split(/\s+/),
)

/** The name in #/$defs/NAME; null for any other reference. */
function referredName(reference: string): string | null {
  if (!reference.startsWith(referencePrefix)) return null
  try {
    const token = decodeURIComponent(reference.slice(referencePrefix.length))
    return token.includes('/') ? null : token.replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    return null
  }
}

/** Undefined if there are no rules, so that most values pass without being examined. */
function someRules<Rules extends object>(rules: Rules): Rules | undefined {
  return Object.values(rules).every((rule) => rule === undefined) ? undefined : rules
}
