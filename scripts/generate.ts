// scripts/generate.ts: all generated files of the repository. `npm run generate` writes them; `npm run check`
// only compares. To add a file, write a generator in scripts/generate/ and list it in its generators.ts.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { runCommand } from './command-line/command.ts'

/** Folders in which nothing is written by hand. */
export const GENERATED_FOLDERS = [
  'docs/generated',
  'schemas',
  'packages/client/src/generated',
  'deploy/helm/pulseward/generated',
]

export async function generate(): Promise<Map<string, string>> {
  // Loads half of the repository: --help must not wait for it.
  const { generators } = await import('./generate/generators.ts')
  const files = new Map<string, string>()
  for (const made of await Promise.all(generators.map((generator) => generator()))) {
    for (const [path, content] of made) {
      if (files.has(path)) throw new Error(`two generators make ${path}`)
      files.set(path, content)
    }
  }
  return files
}

if (import.meta.main) {
  const about = 'Writes every file of the repository that is made from something else.'
  await runCommand({ call: 'npm run generate --', about, flags: {} }, async () => {
    const root = join(import.meta.dirname, '..')
    for (const [path, content] of await generate()) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), content)
    }
  })
}
