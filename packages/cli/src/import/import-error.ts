// import/import-error.ts: the file is not in the expected format, or nothing in it can be carried over. The
// message is a complete sentence for the user; nothing was written. The command exits with code 1.
export class ImportError extends Error {
  override readonly name = 'ImportError'
}
