// views/manage/yaml-value.ts: the JSON value of a parsed YAML document, and the line of each of its parts.
// What JSON cannot express, or would express differently, is refused.
import { v2 } from '@pulseward/contract'
import { isMap, isScalar, isSeq, type LineCounter, type Node, Scalar, type YAMLMap, type YAMLSeq } from 'yaml'
import { type Json, pointerOf } from './json.ts'
import { tooDeep, YamlMistake } from './yaml-tokens.ts'

export class YamlValue {
  readonly value: Json
  readonly #lineByPointer = new Map<string, number>()
  readonly #lines: LineCounter

  constructor(root: Node, lines: LineCounter) {
    this.#lines = lines
    this.#lineByPointer.set('', this.#lineOf(root))
    this.value = this.#read(root, '', 0)
  }

  /** A missing value has the line of its parent. */
  lineOf(pointer: string): number {
    let here = pointer
    for (;;) {
      const line = this.#lineByPointer.get(here)
      if (line !== undefined) return line
      if (here === '') return 1
      here = here.slice(0, here.lastIndexOf('/'))
    }
  }

  #read(node: unknown, pointer: string, depth: number): Json {
    if (isScalar(node)) return scalarOf(node)
    if (!isMap(node) && !isSeq(node)) return null
    if (depth >= v2.limits.bodyDepth) throw new YamlMistake(startOf(node), tooDeep)
    return isMap(node) ? this.#object(node, pointer, depth + 1) : this.#list(node, pointer, depth + 1)
  }

  #object({ items }: YAMLMap, pointer: string, depth: number): Json {
    const members = new Map<string, Json>()
    for (const { key, value } of items) {
      const name = nameOf(key)
      if (members.has(name))
        throw new YamlMistake(startOf(key), `The name ${shown(name)} occurs twice in one mapping.`)
      const inner = pointer + pointerOf([name])
      this.#lineByPointer.set(inner, this.#lineOf(key))
      members.set(name, this.#read(value, inner, depth))
    }
    return Object.fromEntries(members)
  }

  #list({ items }: YAMLSeq, pointer: string, depth: number): Json {
    return items.map((item, index) => {
      const inner = `${pointer}/${index}`
      this.#lineByPointer.set(inner, this.#lineOf(item))
      return this.#read(item, inner, depth)
    })
  }

  #lineOf(node: unknown): number {
    return this.#lines.linePos(startOf(node)).line
  }
}

function scalarOf(node: Scalar): Json {
  const { value } = node
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new YamlMistake(startOf(node), 'This number is too large, or it is not a number.')
  return value as Json
}

function nameOf(key: unknown): string {
  if (!isScalar(key) || typeof key.value !== 'string')
    throw new YamlMistake(startOf(key), 'This name is not a text. Put it in quotes.')
  const { value } = key
  if (value === '<<' && key.type === Scalar.PLAIN)
    throw new YamlMistake(startOf(key), 'Merge keys (<<) are not accepted. Write the fields out.')
  if (value === '__proto__') throw new YamlMistake(startOf(key), 'The name __proto__ is not accepted.')
  return value
}

function startOf(node: unknown): number {
  return (node as Partial<Node> | null)?.range?.[0] ?? 0
}

function shown(name: string): string {
  return JSON.stringify(name.length > 60 ? `${name.slice(0, 60)}…` : name)
}
