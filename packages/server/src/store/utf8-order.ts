// store/utf8-order.ts: the order of ids: by their UTF-8 bytes, as SQLite compares text. JavaScript compares
// UTF-16 units, which sorts characters beyond U+FFFF before some smaller ones.
export function compareUtf8(one: string, other: string): number {
  const length = Math.min(one.length, other.length)
  for (let index = 0; index < length; index++) {
    const [left, right] = [one.charCodeAt(index), other.charCodeAt(index)]
    if (left !== right) return rank(left) - rank(right)
  }
  return one.length - other.length
}

/** Surrogates, which encode the larger characters, sort after all other units. */
function rank(unit: number): number {
  if (unit < 0xd800) return unit
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800
}
