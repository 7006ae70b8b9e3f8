// Entry point for tests of what is on disk after a power cut.
export { LossyDisk } from './lossy-disk.ts'
export { type DiskTrace, traceDisk, whyNoDiskTrace } from './traced-process.ts'
