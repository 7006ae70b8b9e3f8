// Runs every example that people may copy through the validator of the service: the examples of the checks, the
// fleet files in the documents, and the starter.
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { driverShapes, loadFleet } from '@pulseward/server'
import { describe, expect, it } from 'vitest'
import { exampleFile } from './checks-doc.ts'

const root = join(import.meta.dirname, '../..')
/** Every variable that an example may name. */
const environment = { SHOP_TOKEN: 'hush', OPS_SLACK_HOOK: 'hush' }

async function typesIn(path: string): Promise<string[]> {
  const { definition } = await loadFleet({
    paths: [path],
    drivers: driverShapes,
    allowEmpty: false,
    environment,
  })
  return definition.policies.values.map(({ type }) => type)
}

/** The fenced fleet files of a document; a fleet file begins with its version. */
function fleetFilesIn(document: string): string[] {
  const text = readFileSync(join(root, document), 'utf8')
  return [...text.matchAll(/^```yaml\n(version: 1\n[\s\S]*?)^```$/gm)].map((match) => match[1]!)
}

const documents = globSync(['*.md', 'docs/*.md'], { cwd: root })
const written = documents.flatMap((document) =>
  fleetFilesIn(document).map((text, index) => ({ name: `${document}, example ${index + 1}`, text })),
)

describe('an example', () => {
  it.each(Object.keys(driverShapes.checks))('of the check %s is right and uses it', async (name) => {
    expect(await typesIn(exampleFile(name))).toContain(name)
  })

  it('to start with is right', async () => {
    expect(await typesIn(join(root, 'examples/starter.yaml'))).not.toEqual([])
  })

  it.each(written)('in $name is right', async ({ text }) => {
    const folder = mkdtempSync(join(tmpdir(), 'example-'))
    try {
      writeFileSync(join(folder, 'fleet.yaml'), text)
      expect(await typesIn(folder)).not.toEqual([])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

describe('a default in the schema', () => {
  it('is the one in force', async () => {
    const { definition } = await loadFleet({
      paths: [exampleFile('tcp')],
      drivers: driverShapes,
      allowEmpty: false,
      environment,
    })
    const { enabled, intervalMs, timeoutMs, unhealthyThreshold, healthyThreshold, retries } =
      definition.policies.values[0]!
    const page = readFileSync(join(root, 'docs/generated/fleet-file.md'), 'utf8')
    const shown = (key: string) =>
      new RegExp(`^\\| \`monitors\\[\\]\\.${key}\` \\| [^|]+ \\| \`([^\`]+)\``, 'm').exec(page)?.[1]
    expect({
      enabled: shown('enabled'),
      interval: shown('check\\.interval'),
      timeout: shown('check\\.timeout'),
      unhealthy: shown('check\\.unhealthy_threshold'),
      healthy: shown('check\\.healthy_threshold'),
      retries: shown('check\\.retries'),
    }).toEqual({
      enabled: String(enabled),
      interval: `${intervalMs / 1000}s`,
      timeout: `${timeoutMs / 1000}s`,
      unhealthy: String(unhealthyThreshold),
      healthy: String(healthyThreshold),
      retries: String(retries),
    })
  })
})
