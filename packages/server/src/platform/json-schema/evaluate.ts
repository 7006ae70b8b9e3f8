// platform/json-schema/evaluate.ts: validates a value against a compiled schema. Bounded: every visit of a part of the
// value counts as a step, and a value that exceeds the bound on steps or depth gets a single mistake that says so,
// whatever else is wrong with it. No message repeats anything of the value; pointers name its keys.
import { canonicalJson } from '../json/canonical-json.ts'
import { isJsonObject, type Json, type JsonObject, pointerBelow } from '../json/json.ts'
import type { LinearRegex } from '../linear-regex/linear-regex.ts'
import { counted } from '../wording.ts'
import { isMultipleOf } from './multiple-of.ts'
import { isDeeperThan } from './nesting.ts'
import type {
  ListRules,
  NumberRules,
  ObjectRules,
  SchemaMistake,
  SchemaNode,
  TextRules,
  TypeName,
} from './schema.ts'

/** Takes some milliseconds. */
const mostSteps = 100_000
/** Bounds nested schemas, including references. */
const deepestEvaluation = 400
const mostMistakes = 100
/** For a text that is only scanned, this many characters count as one step. */
const charactersAStep = 8

export function evaluate(root: SchemaNode, value: unknown, deepest: number): readonly SchemaMistake[] {
  if (isDeeperThan(value, deepest))
    return [{ pointer: '', reason: 'tooDeep', message: `is nested deeper than ${deepest}` }]
  const evaluation = new Evaluation()
  try {
    evaluation.fits(root, value as Json, top, 0)
    return evaluation.mistakes
  } catch (error) {
    if (error instanceof BoundReached) return [{ pointer: '', reason: 'rule', message: error.message }]
    throw error
  }
}

class BoundReached extends Error {}

/** The location of a part of the value. */
interface Place {
  readonly above: Place | null
  readonly key: string | number
}

const top: Place = { above: null, key: '' }

function pointerOf({ above, key }: Place): string {
  return above === null ? '' : pointerBelow(pointerOf(above), key)
}

/** Null if the mistakes are not reported: then the first one ends the evaluation. */
type Told = Place | null

class Evaluation {
  readonly mistakes: SchemaMistake[] = []
  #steps = 0

  fits(node: SchemaNode, value: Json, told: Told, depth: number): boolean {
    this.#take(1)
    if (depth > deepestEvaluation)
      throw new BoundReached('cannot be held against the schema, whose references lead too deep')
    if (node.isFalse) return this.#wrong(told, 'notAllowed', 'must not be there')
    if (node.types !== undefined && !node.types.some((name) => isOfType(value, name)))
      return this.#otherType(node.types, value, told)
    // If mistakes are not reported, the first broken rule is enough.
    let fits = true
    for (const rule of rules) {
      if (!this[rule](node, value, told, depth)) fits = false
      if (!fits && told === null) return false
    }
    return fits
  }

  values({ values, shownValues }: SchemaNode, value: Json, told: Told): boolean {
    if (values === undefined) return true
    const text = canonicalJson(value)
    this.#take(text.length / charactersAStep)
    if (values.has(text)) return true
    const allowed = shownValues ?? undefined
    return this.#wrong(
      told,
      'notAllowed',
      allowed === undefined
        ? 'must be one of the values that the schema lists'
        : `must be ${values.size === 1 ? '' : 'one of '}${allowed}`,
    )
  }

  byType(node: SchemaNode, value: Json, told: Told, depth: number): boolean {
    const { numbers, texts, lists, objects } = node
    if (typeof value === 'number') return numbers === undefined || this.#number(numbers, value, told)
    if (typeof value === 'string') return texts === undefined || this.#text(texts, value, told)
    if (Array.isArray(value)) return lists === undefined || this.#list(lists, value, told, depth)
    if (isJsonObject(value)) return objects === undefined || this.#object(objects, value, told, depth)
    return true
  }

  applied(node: SchemaNode, value: Json, told: Told, depth: number): boolean {
    const { reference, allOf, anyOf, oneOf, not } = node
    let fits = reference === undefined || this.fits(reference, value, told, depth + 1)
    for (const each of allOf ?? []) {
      if (!fits && told === null) return false
      if (!this.fits(each, value, told, depth + 1)) fits = false
    }
    const isFitting = (each: SchemaNode) => this.fits(each, value, null, depth + 1)
    if (anyOf !== undefined && !anyOf.some(isFitting))
      fits = this.#wrong(told, 'rule', `must fit at least one of ${counted(anyOf.length, 'schema')} (anyOf)`)
    if (oneOf !== undefined) {
      const fitting = oneOf.filter(isFitting).length
      if (fitting !== 1)
        fits = this.#wrong(
          told,
          'rule',
          `must fit exactly one of ${counted(oneOf.length, 'schema')} (oneOf), and fits ${fitting}`,
        )
    }
    if (not !== undefined && isFitting(not))
      fits = this.#wrong(told, 'rule', 'must not fit the schema under not')
    return fits
  }

  #number(rules: NumberRules, value: number, told: Told): boolean {
    const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = rules
    let fits = true
    const demand = (holds: boolean, reason: SchemaMistake['reason'], message: string) => {
      if (!holds) fits = this.#wrong(told, reason, message)
    }
    if (minimum !== undefined) demand(value >= minimum, 'tooSmall', `must be ${minimum} or more`)
    if (exclusiveMinimum !== undefined)
      demand(value > exclusiveMinimum, 'tooSmall', `must be more than ${exclusiveMinimum}`)
    if (maximum !== undefined) demand(value <= maximum, 'tooLarge', `must be ${maximum} or less`)
    if (exclusiveMaximum !== undefined)
      demand(value < exclusiveMaximum, 'tooLarge', `must be less than ${exclusiveMaximum}`)
    if (multipleOf !== undefined)
      demand(isMultipleOf(value, multipleOf), 'rule', `must be a multiple of ${multipleOf}`)
    return fits
  }

  #text({ minLength, maxLength, pattern }: TextRules, value: string, told: Told): boolean {
    let fits = true
    if (minLength !== undefined || maxLength !== undefined) {
      this.#take(value.length / charactersAStep)
      const length = characterCount(value)
      if (minLength !== undefined && length < minLength)
        fits = this.#wrong(told, 'tooShort', `must have at least ${counted(minLength, 'character')}`)
      if (maxLength !== undefined && length > maxLength)
        fits = this.#wrong(told, 'tooLong', `must have at most ${counted(maxLength, 'character')}`)
    }
    if (pattern !== undefined && !this.#matches(pattern.regex, value))
      fits = this.#wrong(told, 'malformed', `must match ${pattern.source}`)
    return fits
  }

  #matches(regex: LinearRegex, text: string): boolean {
    const search = regex.begin(text)
    while (search.found === null) this.#take(regex.goOn(search, mostSteps - this.#steps))
    return search.found
  }

  #list(rules: ListRules, list: readonly Json[], told: Told, depth: number): boolean {
    const { minItems, maxItems, uniqueItems, prefixItems = [], items } = rules
    let fits = true
    if (minItems !== undefined && list.length < minItems)
      fits = this.#wrong(told, 'tooFew', `must have at least ${counted(minItems, 'item')}`)
    if (maxItems !== undefined && list.length > maxItems)
      fits = this.#wrong(told, 'tooMany', `must have at most ${counted(maxItems, 'item')}`)
    if (uniqueItems === true && !this.#isUnique(list))
      fits = this.#wrong(told, 'rule', 'must not have the same item twice')
    const last = items === undefined ? Math.min(list.length, prefixItems.length) : list.length
    for (let index = 0; index < last; index++) {
      if (!fits && told === null) return false
      const node = prefixItems[index] ?? items
      if (node !== undefined && !this.fits(node, list[index] ?? null, below(told, index), depth + 1))
        fits = false
    }
    return fits
  }

  #isUnique(list: readonly Json[]): boolean {
    const seen = new Set<string>()
    for (const item of list) {
      const text = canonicalJson(item)
      this.#take(1 + text.length / charactersAStep)
      if (seen.has(text)) return false
      seen.add(text)
    }
    return true
  }

  #object(rules: ObjectRules, object: JsonObject, told: Told, depth: number): boolean {
    const { minProperties, maxProperties, required = [] } = rules
    const keys = Object.keys(object)
    this.#take(keys.length + required.length)
    let fits = true
    if (minProperties !== undefined && keys.length < minProperties)
      fits = this.#wrong(told, 'tooFew', `must have at least ${counted(minProperties, 'member')}`)
    if (maxProperties !== undefined && keys.length > maxProperties)
      fits = this.#wrong(told, 'tooMany', `must have at most ${counted(maxProperties, 'member')}`)
    for (const name of required)
      if (!Object.hasOwn(object, name)) fits = this.#wrong(below(told, name), 'required', 'is missing')
    for (const key of keys) {
      if (!fits && told === null) return false
      if (!this.#member(rules, key, object[key] ?? null, below(told, key), depth)) fits = false
    }
    return fits
  }

  #member(rules: ObjectRules, key: string, value: Json, told: Told, depth: number): boolean {
    const { properties, patternProperties = [], additionalProperties, propertyNames } = rules
    let fits = true
    if (propertyNames !== undefined && !this.fits(propertyNames, key, null, depth + 1))
      fits = this.#wrong(told, 'malformed', 'has a name that the schema does not allow (propertyNames)')
    const nodes: SchemaNode[] = []
    const own = properties?.get(key)
    if (own !== undefined) nodes.push(own)
    for (const [pattern, node] of patternProperties) if (this.#matches(pattern.regex, key)) nodes.push(node)
    if (nodes.length === 0 && additionalProperties?.isFalse)
      return this.#wrong(told, 'unknownField', 'is not a member that the schema knows')
    if (nodes.length === 0 && additionalProperties !== undefined) nodes.push(additionalProperties)
    for (const node of nodes) if (!this.fits(node, value, told, depth + 1)) fits = false
    return fits
  }

  #otherType(types: readonly TypeName[], value: Json, told: Told): boolean {
    const isBroken = typeof value === 'number' && types.includes('integer')
    const words = types.map((name) => typeWords[name]).join(' or ')
    return this.#wrong(told, isBroken ? 'notWhole' : 'wrongType', `must be ${words}`)
  }

  /** Always false, so that a rule can return it. */
  #wrong(told: Told, reason: SchemaMistake['reason'], message: string): false {
    if (told !== null && this.mistakes.length < mostMistakes)
      this.mistakes.push({ pointer: pointerOf(told), reason, message })
    return false
  }

  #take(steps: number): void {
    this.#steps += steps
    if (this.#steps >= mostSteps)
      throw new BoundReached('takes too long to be held against the schema; make it smaller, or the schema')
  }
}

/** In the order in which mistakes are reported. */
const rules = ['values', 'byType', 'applied'] as const

const typeWords: Readonly<Record<TypeName, string>> = {
  null: 'null',
  boolean: 'true or false',
  integer: 'a whole number',
  number: 'a number',
  string: 'text',
  array: 'a list',
  object: 'an object',
}

function isOfType(value: Json, name: TypeName): boolean {
  switch (name) {
    case 'null':
      return value === null
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isJsonObject(value)
    case 'integer':
      return Number.isInteger(value)
    default:
      return typeof value === name
  }
}

function below(told: Told, key: string | number): Told {
  return told === null ? null : { above: told, key }
}

/** Counts code points, as the standard does. */
function characterCount(text: string): number {
  let count = text.length
  for (let index = 0; index < text.length - 1; index++) {
    const unit = text.charCodeAt(index)
    if (unit < 0xd800 || unit > 0xdbff) continue
    const next = text.charCodeAt(index + 1)
    if (next >= 0xdc00 && next <= 0xdfff) {
      count--
      index++
    }
  }
  return count
}
