// platform/column.ts: typed arrays that hold one element per row, or one counter per kind.
type Column =
  | Float64Array<ArrayBuffer>
  | Int32Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>
  | Uint8Array<ArrayBuffer>

/** A copy with room for `length` elements, the new ones holding `fill`; the column itself when it has the room. */
export function grown<Kind extends Column>(column: Kind, length: number, fill = 0): Kind {
  if (length <= column.length) return column
  const larger = new (column.constructor as new (length: number) => Kind)(length)
  larger.set(column)
  if (fill !== 0) larger.fill(fill, column.length)
  return larger
}

/** Part of every check, so there is no default for an index out of range. */
export function addTo(counters: Uint32Array, index: number, amount: number): void {
  counters[index]! += amount
}
