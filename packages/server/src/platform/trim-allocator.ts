// platform/trim-allocator.ts: gives back to the system what the C library keeps of memory that was freed. By itself glibc gives
// back only what lies at the end of its heap, and a start that reads a large fleet leaves holes of many megabytes before that.
// Linux only; elsewhere, and with a C library that has no such call, nothing happens.

export async function trimAllocator(): Promise<void> {
  if (process.platform !== 'linux') return
  try {
    const ffi = await import('node:ffi')
    const library = ffi.dlopen(null, { malloc_trim: { arguments: ['uint64'], return: 'int32' } })
    library.functions.malloc_trim(0n)
  } catch {
    // Memory stays where it is, and nothing else depends on it.
  }
}
