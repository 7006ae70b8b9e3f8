// platform/column.ts: typed arrays with one element per row, or one counter per kind. A column that has grown
// is in memory that can grow in place: address space is reserved for more rows than it has, so that the next
// growth is a new view on the same memory instead of a copy. Only views of a fixed length are used:
// length-tracking views are many times slower to read.
export type Column = Float64Array | Float32Array | Int32Array | Uint32Array | Uint16Array | Uint8Array

interface ColumnKind<Kind extends Column> {
  new (memory: SharedArrayBuffer, byteOffset: number, length: number): Kind
  readonly BYTES_PER_ELEMENT: number
}

/** By which factor a column may grow before it has to be moved. Reserved address space is not memory. */
const growsTo = 16
const reservedBytesAtLeast = 64 * 1024
/** Reserving address space takes a system call. Moving a column this small costs less. */
const movedUpToBytes = 4 * 1024

/** The block size of copyWritten. */
const elementsAtOnce = 1024

/** In shared memory; if large, in memory that grows in place. */
export function newColumn<Kind extends Column>(kind: ColumnKind<Kind>, length: number): Kind {
  const bytes = length * kind.BYTES_PER_ELEMENT
  if (bytes <= movedUpToBytes) return new kind(new SharedArrayBuffer(bytes), 0, length)
  const maxByteLength = Math.max(reservedBytesAtLeast, bytes * growsTo)
  return new kind(new SharedArrayBuffer(bytes, { maxByteLength }), 0, length)
}

/**
 * The same column with room for `length` elements, the new ones holding `fill`; the column itself if it has
 * the room. Existing views keep their length, and share the memory unless it had to be moved.
 */
export function grown<Kind extends Column>(column: Kind, length: number, fill = 0): Kind {
  if (length <= column.length) return column
  const kind = column.constructor as unknown as ColumnKind<Kind>
  const larger = grownInPlace(kind, column.buffer, length) ?? moved(kind, column, length)
  if (fill !== 0) larger.fill(fill, column.length)
  return larger
}

function grownInPlace<Kind extends Column>(
  kind: ColumnKind<Kind>,
  memory: ArrayBufferLike,
  length: number,
): Kind | null {
  const bytes = length * kind.BYTES_PER_ELEMENT
  if (!(memory instanceof SharedArrayBuffer) || !memory.growable || bytes > memory.maxByteLength) return null
  if (bytes > memory.byteLength) memory.grow(bytes)
  return new kind(memory, 0, length)
}

function moved<Kind extends Column>(kind: ColumnKind<Kind>, column: Kind, length: number): Kind {
  const larger = newColumn(kind, length)
  copyWritten(column, larger)
  return larger
}

/**
 * Copies into a column that was never written, skipping zeros: memory that is never written is never
 * allocated, and some columns are mostly zeros.
 */
export function copyWritten(from: Column, into: Column): void {
  const zeros = Buffer.alloc(elementsAtOnce * from.BYTES_PER_ELEMENT)
  for (let start = 0; start < from.length; start += elementsAtOnce) {
    const part = from.subarray(start, start + elementsAtOnce)
    const bytes = Buffer.from(part.buffer, part.byteOffset, part.byteLength)
    if (!bytes.equals(zeros.subarray(0, bytes.length))) into.set(part, start)
  }
}

/** Writes a value only if it differs, so that zeros stay unwritten, as with copyWritten. */
export function put(column: Column, row: number, value: number): void {
  if (column[row] !== value) column[row] = value
}

/** Part of every check, so it does not handle an index out of range. */
export function addTo(counters: Uint32Array, index: number, amount: number): void {
  counters[index]! += amount
}
