// scripts/check/generated.ts: files made by scripts/generate.ts must equal what it would write now, and its
// folders must contain nothing else. Generates in memory; only `npm run generate` writes.
import { globSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import type { Generate } from '../generate/generators.ts'
import { GENERATED_FOLDERS, generate } from '../generate.ts'
import type { Part } from './part.ts'

export const generated: Part = { name: 'generated', run: (root) => compareGenerated(root, generate) }

export async function compareGenerated(root: string, generate: Generate): Promise<string[]> {
  const files = await generate()
  const problems: string[] = []
  for (const [path, content] of files) {
    const present = readIfThere(join(root, path))
    if (present === null) problems.push(`${path} is missing: run \`npm run generate\``)
    else if (present !== content) problems.push(`${path} is stale: run \`npm run generate\``)
  }
  const kept = globSync(`{${GENERATED_FOLDERS.join(',')}}/**/*.*`, { cwd: root }).map((path) =>
    path.split(sep).join('/'),
  )
  const orphans = kept.filter((path) => !files.has(path))
  return [...problems, ...orphans.map((path) => `${path} is made by no generator: delete it`)]
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
