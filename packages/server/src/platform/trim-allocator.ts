// platform/trim-allocator.ts: returns freed memory that the C library keeps to the system. By itself glibc
// returns only memory at the end of its heap, and a start that reads a large fleet leaves holes of many
// megabytes before that. Linux only; elsewhere, and with a C library without this call, it does nothing.

export async function trimAllocator(): Promise<void> {
  if (process.platform !== 'linux') return
  try {
    const ffi = await import('node:ffi')
    const library = ffi.dlopen(null, { malloc_trim: { arguments: ['uint64'], return: 'int32' } })
    library.functions.malloc_trim(0n)
  } catch {
    // The memory is kept, and nothing else depends on it.
  }
}
