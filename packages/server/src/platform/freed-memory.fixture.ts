// platform/freed-memory.fixture.ts: frees 50 MB in pieces before one that stays, so that the C library keeps
// them, and prints the memory of the process before and after they are returned to the system.
import { trimAllocator } from './trim-allocator.ts'

const pieces = Array.from({ length: 400 }, () => new Uint8Array(128 * 1024).fill(1))
const last = new Uint8Array(128 * 1024).fill(1)
const held = process.memoryUsage().arrayBuffers
pieces.length = 0
// Another thread frees the pieces, possibly late; the next collection waits for it.
while (process.memoryUsage().arrayBuffers > held / 2) globalThis.gc!()
const before = process.memoryUsage.rss()
await trimAllocator()
process.stdout.write(JSON.stringify({ before, after: process.memoryUsage.rss(), stays: last[0] }))
