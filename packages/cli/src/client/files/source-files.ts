// client/files/source-files.ts: the files that `-f` means: a file, the resource files of a folder in lexical
// order, or stdin. Links are not followed, and other files of a folder are ignored.
import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '@pulseward/server'

export const standardInput = '-'
const resourceFile = /\.(ya?ml|json|ndjson)$/i

export function sourceFiles(paths: readonly string[], isRecursive: boolean): string[] {
  if (paths.length === 0) throw new UsageError('Name the files with -f FILE, a folder, or - for stdin.')
  if (paths.filter((path) => path === standardInput).length > 1)
    throw new UsageError('Stdin can be read only once: -f - is given twice.')
  return paths.flatMap((path) => (path === standardInput ? [path] : filesAt(path, isRecursive)))
}

function filesAt(path: string, isRecursive: boolean): string[] {
  if (!statOf(path).isDirectory()) return [path]
  const files = filesIn(path, isRecursive)
  if (files.length === 0)
    throw new UsageError(
      `${path} has no .yaml, .yml, .json or .ndjson file${isRecursive ? '' : '; -R looks into its folders'}.`,
    )
  return files
}

function filesIn(folder: string, isRecursive: boolean): string[] {
  const entries = readdirSync(folder, { withFileTypes: true })
  return entries
    .toSorted((left, right) => (left.name < right.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return isRecursive ? filesIn(path, true) : []
      return entry.isFile() && resourceFile.test(entry.name) ? [path] : []
    })
}

function statOf(path: string) {
  try {
    return lstatSync(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new UsageError(`${path} ${code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`}.`, {
      cause: error,
    })
  }
}
