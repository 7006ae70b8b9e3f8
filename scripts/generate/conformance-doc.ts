// scripts/generate/conformance-doc.ts: every promise of v1 with the tests that prove it. A test that is not
// where the table says stops the generator: a promise never loses its test silently.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { interfaceSections } from './conformance/interface.ts'
import type { NamedTest, Requirement, Section } from './conformance/requirement.ts'
import { v1Sections } from './conformance/v1.ts'
import { code, madeFrom, table } from './markdown.ts'

const root = join(import.meta.dirname, '../..')

export async function conformanceDoc(): Promise<Map<string, string>> {
  const missing = missingTests([...interfaceSections, ...v1Sections], (file) =>
    readFileSync(join(root, file), 'utf8'),
  )
  if (missing.length > 0)
    throw new Error(`tests that the conformance table names are gone:\n${missing.join('\n')}`)
  return new Map([['docs/conformance.md', page()]])
}

/** `file: title` of every missing test. */
export function missingTests(sections: readonly Section[], read: (file: string) => string): string[] {
  const tests = sections.flatMap(({ requirements }) => requirements.flatMap((one) => one.tests))
  return tests.filter((test) => !isThere(test, read)).map(({ file, title }) => `${file}: ${title}`)
}

function isThere({ file, title }: NamedTest, read: (file: string) => string): boolean {
  try {
    return read(file).includes(title)
  } catch {
    return false
  }
}

function page(): string {
  return `${madeFrom('scripts/generate/conformance')}
# Conformance of v1

What the interface promises of v1, and the tests that hold it. \`%s\` in a title stands for each of several cases.
${'`npm test`'} and ${'`npm run test:servers`'} run all of them; ${'`npm run bench -- fuzz`'} sends a hundred thousand hostile
requests, half of them to each edition.

## The interface

${interfaceSections.map(sectionText).join('\n\n')}

## Decisions about what it leaves open

${v1Sections.map(sectionText).join('\n\n')}
`
}

function sectionText({ title, requirements }: Section): string {
  return `### ${title}\n\n${table(['Promise', 'Held by'], requirements.map(rowOf))}`
}

function rowOf({ says, tests }: Requirement): string[] {
  return [says, tests.map(({ file, title }) => `${code(file)}: ${title}`).join('<br>')]
}
