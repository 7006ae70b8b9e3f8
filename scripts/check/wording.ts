// scripts/check/wording.ts: hints at sentences that are probably hard to read: phrases that hide who acts, or
// that are not idiomatic. Some uses are right, so it never fails the check. Reads documents and sources with
// their comments; generated files follow from those, and the changelog is history.
import { globSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { findWords } from './find-words.ts'
import type { Part } from './part.ts'

const PHRASES = ['nobody', 'somebody', 'whoever', 'none of ours', 'has not', 'of its own']
const PATTERNS = PHRASES.map((phrase) => new RegExp(`\\b${phrase}\\b`, 'i'))
const LOOKED_AT = [
  '*.md',
  '{docs,deploy}/**/*.md',
  '{packages,scripts,bench,e2e,examples}/**/*.{md,ts,tsx,js}',
]
/** This check and its test have to name the phrases. */
const LEFT_OUT = /(^|\/)(node_modules|dist|generated|\.site)\/|^CHANGELOG\.md$|^scripts\/check\/wording\./

export const wording: Part = {
  name: 'wording',
  isHint: true,
  async run(root) {
    const files = globSync(LOOKED_AT, { cwd: root, exclude: ['**/node_modules/**'] })
      .map((path) => path.split(sep).join('/'))
      .filter((path) => !LEFT_OUT.test(path))
      .sort()
    const found = files
      .map((path) => ({ path, phrases: findWords(readFileSync(join(root, path), 'utf8'), PATTERNS) }))
      .filter(({ phrases }) => phrases.length > 0)
      .sort((one, other) => other.phrases.length - one.phrases.length)
    return found.map(
      ({ path, phrases }) =>
        `${path} ${phrases.length}: ${phrases.map(({ line, text }) => `${text} (line ${line})`).join(', ')}`,
    )
  },
}
