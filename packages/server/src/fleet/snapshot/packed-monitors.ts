// fleet/snapshot/packed-monitors.ts: the monitors of a fleet as parts of a snapshot: packed texts and columns of numbers,
// as in the running fleet. They may be written from memory that the controller changes meanwhile: a changing monitor is
// then written partly old and partly new, and the caller must make sure that this is harmless.
import type { FleetDefinition, Shared } from '../../config/fleet-file/definition.ts'
import { DefinitionBuilder } from '../../config/fleet-file/definition-builder.ts'
import { copyWritten, newColumn } from '../../platform/column.ts'
import type { PackedStrings } from '../../platform/packed-strings.ts'
import { repackStrings } from '../../platform/repack-strings.ts'
import { bytesOf, type Part, type PartReader, type PartWriter } from './snapshot-file.ts'

export const textNames = ['ids', 'names', 'configs'] as const
export const sharedNames = [
  'policies',
  'recoveries',
  'notifications',
  'maintenance',
  'tags',
  'labels',
  'dependencies',
  'credentials',
  'sources',
] as const
export type TextName = (typeof textNames)[number]
export type SharedName = (typeof sharedNames)[number]

export interface MonitorColumns {
  readonly texts: Readonly<Record<TextName, PackedStrings>>
  readonly numbers: Readonly<Record<SharedName, Uint32Array>>
}

export interface MonitorsSource extends MonitorColumns {
  /** Each as a line of JSON. */
  readonly values: Readonly<Record<SharedName, readonly string[]>>
}

export interface TextParts {
  readonly chunks: readonly Part[]
  readonly starts: Part
}

export interface MonitorParts {
  readonly monitors: number
  readonly texts: Readonly<Record<TextName, TextParts>>
  readonly shared: Readonly<Record<SharedName, { readonly values: Part; readonly numbers: Part }>>
}

/** Values serialized before the controller yields. */
const valuesAtOnce = 500

/** The input of a thread that writes the running monitors: the present columns, and values in chunks of lines. */
export async function monitorsInWords(definition: FleetDefinition): Promise<MonitorsSource> {
  const columns = columnsOf(definition)
  // Values may be added meanwhile; existing ones do not change.
  const counts = sharedNames.map((name) => definition[name].values.length)
  const values = {} as Record<SharedName, string[]>
  for (const [index, name] of sharedNames.entries()) {
    values[name] = []
    for (let from = 0; from < counts[index]!; from += valuesAtOnce) {
      const some = definition[name].values.slice(from, Math.min(counts[index]!, from + valuesAtOnce))
      values[name].push(asLines(some).join('\n'))
      await new Promise(setImmediate)
    }
  }
  return { ...columns, values }
}

/** The same with one value per line again. */
export function inLines(words: MonitorsSource): MonitorsSource {
  const lines = sharedNames.map(
    (name) => [name, words.values[name].flatMap((piece) => piece.split('\n'))] as const,
  )
  return { ...words, values: Object.fromEntries(lines) as unknown as Record<SharedName, string[]> }
}

/** Monitors that do not change, in the thread that owns them. */
export function monitorsOf(definition: FleetDefinition): MonitorsSource {
  const lines = sharedNames.map((name) => [name, asLines(definition[name].values)] as const)
  return {
    ...columnsOf(definition),
    values: Object.fromEntries(lines) as unknown as Record<SharedName, string[]>,
  }
}

function columnsOf(definition: FleetDefinition): MonitorColumns {
  const { ids, names, configs } = definition
  const numbers = sharedNames.map((name) => [name, definition[name].of] as const)
  return {
    texts: { ids, names, configs },
    numbers: Object.fromEntries(numbers) as Record<SharedName, Uint32Array>,
  }
}

function asLines(values: readonly unknown[]): string[] {
  return values.map((value) => JSON.stringify(value))
}

/** In row order. mayGoOn: called when all ids are read; if it returns false, the result is null. */
export function writeMonitors(
  file: PartWriter,
  source: MonitorsSource,
  rows: Uint32Array,
  mayGoOn: () => boolean = () => true,
): MonitorParts | null {
  const texts = {} as Record<TextName, TextParts>
  for (const name of textNames) {
    texts[name] = writeTexts(file, source.texts[name], rows)
    if (name === 'ids' && !mayGoOn()) return null
  }
  const shared = {} as Record<SharedName, MonitorParts['shared'][SharedName]>
  for (const name of sharedNames)
    shared[name] = writeShared(file, source.values[name], source.numbers[name], rows)
  return { monitors: rows.length, texts, shared }
}

export function writeTexts(file: PartWriter, strings: PackedStrings, rows: Uint32Array): TextParts {
  const chunks: Part[] = []
  const starts = new Uint32Array(rows.length)
  repackStrings(strings, rows, starts, (chunk) => void chunks.push(file.write(chunk)))
  return { chunks, starts: file.write(bytesOf(starts)) }
}

/** Omits values that no monitor has any more. Number 0 stays: most monitors have it. */
function writeShared(
  file: PartWriter,
  values: readonly string[],
  numbers: Uint32Array,
  rows: Uint32Array,
): MonitorParts['shared'][SharedName] {
  const kept: string[] = values.slice(0, 1)
  const numberOf = new Map([[0, 0]])
  const renumbered = new Uint32Array(rows.length)
  for (let index = 0; index < rows.length; index++) {
    const number = numbers[rows[index]!]!
    // A value added after the values were read: its monitor changed meanwhile.
    const value = values[number]
    if (value === undefined) continue
    let next = numberOf.get(number)
    if (next === undefined) {
      next = kept.push(value) - 1
      numberOf.set(number, next)
    }
    renumbered[index] = next
  }
  return {
    values: file.write(Buffer.from(kept.join('\n'))),
    numbers: file.write(bytesOf(narrowed(renumbered, kept.length))),
  }
}

/** Only the monitors: no endpoints, groups or routes. */
export function readMonitors(file: PartReader, { texts, shared, monitors }: MonitorParts): FleetDefinition {
  const readShared = (name: SharedName): Shared<unknown> => {
    const { values, numbers } = shared[name]
    const lines = Buffer.from(file.read(values, new ArrayBuffer(values.bytes))).toString('utf8')
    const bytes = file.read(numbers, new ArrayBuffer(numbers.bytes))
    return { values: JSON.parse(`[${lines.replaceAll('\n', ',')}]`), of: widened(bytes, monitors) }
  }
  // In the order in which they were written.
  const parts = Object.fromEntries([
    ...textNames.map((name) => [name, readTexts(file, texts[name], monitors)] as const),
    ...sharedNames.map((name) => [name, readShared(name)] as const),
  ])
  return { ...new DefinitionBuilder().finish({}), ...parts, count: monitors }
}

export function readTexts(file: PartReader, parts: TextParts, rows: number): PackedStrings {
  const chunks = parts.chunks.map((part) => file.read(part, new SharedArrayBuffer(part.bytes)))
  const starts = newColumn(Uint32Array, rows)
  file.read(parts.starts, starts.buffer)
  return { chunks, starts }
}

/** There are few distinct values: most numbers fit into a byte. */
function narrowed(numbers: Uint32Array, values: number): Uint8Array | Uint16Array | Uint32Array {
  if (values <= 1 << 8) return Uint8Array.from(numbers)
  return values <= 1 << 16 ? Uint16Array.from(numbers) : numbers
}

function widened(bytes: ArrayBuffer, count: number): Uint32Array {
  const column = newColumn(Uint32Array, count)
  const width = count === 0 ? 1 : bytes.byteLength / count
  copyWritten(
    width === 1 ? new Uint8Array(bytes) : width === 2 ? new Uint16Array(bytes) : new Uint32Array(bytes),
    column,
  )
  return column
}
