// power-cut/lossy-file.ts: the bytes of one file on a disk with a volatile cache. Synced bytes survive a
// power cut; of every later change, any subset of its sectors may survive, in any order.
import type { Random } from '../random.ts'

const sectorBytes = 512

type Change =
  | { readonly kind: 'write'; readonly offset: number; readonly data: Uint8Array }
  | { readonly kind: 'truncate'; readonly size: number }

export class LossyFile {
  #durable = new Uint8Array(0)
  #pending: Change[] = []

  change(change: Change): void {
    this.#pending.push(change)
  }

  sync(): void {
    this.#durable = this.#pending.reduce(applied, this.#durable)
    this.#pending = []
  }

  afterPowerCut(random: Random): Uint8Array {
    // A cache that is written completely or not at all is likely too; independent changes would hardly ever produce that.
    const share = random.pick([0, 0.2, 0.5, 0.9, 1])
    let bytes: Uint8Array<ArrayBuffer> = this.#durable.slice()
    for (const change of this.#pending) {
      if (change.kind === 'truncate' || random.chance(0.7)) {
        if (random.chance(share)) bytes = applied(bytes, change)
      } else for (const sector of sectorsOf(change)) if (random.chance(share)) bytes = applied(bytes, sector)
    }
    // The new length of a file can reach the disk without the data that made it longer.
    const size = this.#pending.reduce(sizeAfter, this.#durable.length)
    return size > bytes.length && random.chance(0.3) ? resized(bytes, size) : bytes
  }
}

function applied(bytes: Uint8Array<ArrayBuffer>, change: Change): Uint8Array<ArrayBuffer> {
  if (change.kind === 'truncate') return resized(bytes, change.size)
  const { offset, data } = change
  const target = resized(bytes, Math.max(bytes.length, offset + data.length))
  target.set(data, offset)
  return target
}

/** Leaves room behind the end, so that a file that grows with each write is not copied each time. */
function resized(bytes: Uint8Array<ArrayBuffer>, size: number): Uint8Array<ArrayBuffer> {
  if (size <= bytes.length) return bytes.subarray(0, size)
  const room = bytes.buffer.byteLength
  if (size <= room) {
    const larger = new Uint8Array(bytes.buffer, 0, size)
    larger.fill(0, bytes.length)
    return larger
  }
  const larger = new Uint8Array(new ArrayBuffer(size * 2), 0, size)
  larger.set(bytes)
  return larger
}

function sizeAfter(size: number, change: Change): number {
  return change.kind === 'truncate' ? change.size : Math.max(size, change.offset + change.data.length)
}

function* sectorsOf({ offset, data }: Change & { kind: 'write' }): Iterable<Change> {
  for (let from = 0; from < data.length; ) {
    const to = Math.min(data.length, from + sectorBytes - ((offset + from) % sectorBytes))
    yield { kind: 'write', offset: offset + from, data: data.subarray(from, to) }
    from = to
  }
}
