// scripts/generate.ts: everything in the repository that is made from something else. `npm run generate` writes
// it; `npm run check` only compares. To add a file, write a generator in scripts/generate/ and list it here.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { runCommand } from './command-line/command.ts'
import { boundariesDoc } from './generate/boundaries-doc.ts'
import { checksDoc } from './generate/checks-doc.ts'
import { client } from './generate/client.ts'
import { conformanceDoc } from './generate/conformance-doc.ts'
import { fleetFileDoc } from './generate/fleet-file-doc.ts'
import { chartFiles } from './generate/helm-chart/chart-files.ts'
import { jsonSchemas } from './generate/json-schemas.ts'
import { messagesDoc } from './generate/messages-doc.ts'
import { metricsDoc } from './generate/metrics-doc.ts'
import { notifiersDoc } from './generate/notifiers-doc.ts'
import { openApiDocuments } from './generate/openapi-documents.ts'
import { recoveriesDoc } from './generate/recoveries-doc.ts'
import { settingsDoc } from './generate/settings-doc.ts'
import { v1ApiDoc } from './generate/v1-api-doc.ts'
import { v2ApiDoc } from './generate/v2-api-doc.ts'

/** Makes files: path from the root to content. Reads nothing that a checkout does not hold. */
export type Generate = () => Promise<ReadonlyMap<string, string>>

/** Folders in which nothing is written by hand. */
export const GENERATED_FOLDERS = [
  'docs/generated',
  'schemas',
  'packages/client/src/generated',
  'deploy/helm/pulseward/generated',
]

const generators: readonly Generate[] = [
  boundariesDoc,
  jsonSchemas,
  settingsDoc,
  metricsDoc,
  messagesDoc,
  fleetFileDoc,
  checksDoc,
  recoveriesDoc,
  notifiersDoc,
  v1ApiDoc,
  v2ApiDoc,
  openApiDocuments,
  conformanceDoc,
  client,
  chartFiles,
]

export async function generate(): Promise<Map<string, string>> {
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
