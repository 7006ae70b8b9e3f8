// power-cut/disk-operations.ts: what a process did to the files below one folder, in order, as disk-trace.c recorded it.

export type DiskOperation =
  | { readonly kind: 'create'; readonly path: string; readonly inode: bigint }
  | { readonly kind: 'write'; readonly inode: bigint; readonly offset: number; readonly data: Uint8Array }
  | { readonly kind: 'truncate'; readonly inode: bigint; readonly size: number }
  /** Of a file or of a directory; only the path tells which. */
  | { readonly kind: 'sync'; readonly path: string; readonly inode: bigint }
  | { readonly kind: 'rename'; readonly path: string; readonly target: string }
  | { readonly kind: 'unlink'; readonly path: string }
  | { readonly kind: 'make-directory'; readonly path: string }
  /** Text that the process printed: from then on, others rely on it. */
  | { readonly kind: 'output'; readonly text: string }

const headBytes = 32

export function readTrace(trace: Buffer): DiskOperation[] {
  const operations: DiskOperation[] = []
  for (let at = 0; at < trace.length; ) {
    const [number, pathBytes, targetBytes, dataBytes] = [0, 4, 8, 12].map((place) =>
      trace.readUInt32LE(at + place),
    ) as [number, number, number, number]
    const inode = trace.readBigUInt64LE(at + 16)
    const offset = Number(trace.readBigUInt64LE(at + 24))
    at += headBytes
    const take = (length: number) => {
      at += length
      return trace.subarray(at - length, at)
    }
    const path = take(pathBytes).toString()
    const target = take(targetBytes).toString()
    operations.push(operationOf(number, { path, target, inode, offset, data: take(dataBytes) }))
  }
  return operations
}

interface Fields {
  readonly path: string
  readonly target: string
  readonly inode: bigint
  readonly offset: number
  readonly data: Buffer
}

/** The numbers are those of disk-trace.c. */
function operationOf(number: number, { path, target, inode, offset, data }: Fields): DiskOperation {
  switch (number) {
    case 1:
      return { kind: 'create', path, inode }
    case 2:
      return { kind: 'write', inode, offset, data }
    case 3:
      return { kind: 'truncate', inode, size: offset }
    case 4:
      return { kind: 'sync', path, inode }
    case 5:
      return { kind: 'rename', path, target }
    case 6:
      return { kind: 'unlink', path }
    case 7:
      return { kind: 'make-directory', path }
    case 8:
      return { kind: 'output', text: data.toString() }
    default:
      throw new Error(`the trace has an operation ${number}`)
  }
}
