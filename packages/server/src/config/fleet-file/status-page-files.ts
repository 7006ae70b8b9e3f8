// config/fleet-file/status-page-files.ts: the files that status pages of fleet files name: a logo, and words of another
// language. What they say is put in their place, so everything after this sees a page that is complete in itself.
import { createHash } from 'node:crypto'
import { dirname, extname, resolve } from 'node:path'
import { parse } from 'yaml'
import { readRegularBytes } from '../../platform/regular-file.ts'
import type { Mistake } from '../shape/explain.ts'
import { longestLogoBytes } from './status-page-logo.ts'
import type { StatusPageDocument } from './status-page-schema.ts'

/** A file that a page was made from, so that a later start can tell whether it still is the same. */
export interface PageFile {
  readonly path: string
  readonly digest: string
}

export interface PageWithFiles {
  readonly page: StatusPageDocument
  readonly files: readonly PageFile[]
  readonly mistakes: readonly Mistake[]
}

/** Each of the words at its longest, and their names. */
const longestWordsBytes = 131_072
const logoTypes: Readonly<Record<string, 'image/png' | 'image/svg+xml'>> = {
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
}

/** `source`: the fleet file, from whose folder the paths are seen. */
export function withPageFiles(page: StatusPageDocument, source: string): PageWithFiles {
  const reading = new Reading(dirname(source))
  const { logo, words } = page
  const read = {
    ...page,
    ...(logo?.file === undefined ? {} : { logo: reading.logo(logo.file) }),
    ...(words === undefined || !isFileOfWords(words) ? {} : { words: reading.words(words['file']!) }),
  } as StatusPageDocument
  return { page: read, files: reading.files, mistakes: reading.mistakes }
}

/** No word of a page has this name. */
function isFileOfWords(words: Readonly<Record<string, string | undefined>>): boolean {
  return words['file'] !== undefined && Object.keys(words).length === 1
}

export function isUnchanged({ path, digest }: PageFile): boolean {
  try {
    return digestOf(readRegularBytes(path, longestWordsBytes)) === digest
  } catch {
    return false
  }
}

function digestOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('base64url')
}

class Reading {
  readonly files: PageFile[] = []
  readonly mistakes: Mistake[] = []
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  /** What cannot be read is as if it had been refused: there, without a value. */
  logo(file: string): StatusPageDocument['logo'] | undefined {
    const type = logoTypes[extname(file).toLowerCase()]
    if (type === undefined) {
      this.#say('logo', `the file ${file} is neither a .png nor a .svg.`)
      return undefined
    }
    const bytes = this.#read('logo', file, longestLogoBytes)
    return bytes === null ? undefined : { type, data: bytes.toString('base64') }
  }

  words(file: string): Readonly<Record<string, string>> | undefined {
    const bytes = this.#read('words', file, longestWordsBytes)
    if (bytes === null) return undefined
    try {
      const read: unknown = parse(bytes.toString('utf8'))
      if (isTexts(read)) return read
      this.#say(
        'words',
        `the file ${file} is not a mapping of names to texts, as \`pulseward status words\` prints it.`,
      )
    } catch (error) {
      const [first = ''] = (error as Error).message.split('\n')
      this.#say('words', `the file ${file} cannot be understood: ${first.replace(/:$/, '')}.`)
    }
    return undefined
  }

  #read(key: string, file: string, mostBytes: number): Buffer | null {
    const path = resolve(this.#folder, file)
    try {
      const bytes = readRegularBytes(path, mostBytes)
      this.files.push({ path, digest: digestOf(bytes) })
      return bytes
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      const reason =
        {
          ENOENT: 'does not exist',
          ENOTREG: 'is not a regular file',
          EFBIG: `is larger than ${mostBytes / 1_024} KiB`,
        }[code ?? ''] ?? `cannot be read (${code})`
      this.#say(key, `the file ${file} ${reason}.`)
      return null
    }
  }

  #say(key: string, message: string): void {
    this.mistakes.push({ path: [key, 'file'], message })
  }
}

function isTexts(read: unknown): read is Record<string, string> {
  return (
    typeof read === 'object' &&
    read !== null &&
    !Array.isArray(read) &&
    Object.values(read).every((text) => typeof text === 'string')
  )
}
