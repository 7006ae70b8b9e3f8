// import/import-error.ts: the file is not what it was said to be, or nothing in it can be carried over. The message is one
// whole sentence for the person at the terminal; nothing was written. The command ends with exit code 1.
export class ImportError extends Error {
  override readonly name = 'ImportError'
}
