// Runs every example that people may copy through the validator of the service: the examples of the drivers, the fleet
// files in the documents, and the starter.
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { driverShapes, loadFleet } from '@pulseward/server'
import { describe, expect, it } from 'vitest'
import { checkPages } from './checks-doc.ts'
import { exampleFile } from './driver-doc.ts'
import { exampleEnvironment } from './example-environment.ts'
import { notifierPages } from './notifiers-doc.ts'
import { recoveryPages } from './recoveries-doc.ts'

const root = join(import.meta.dirname, '../..')

async function loaded(path: string) {
  const environment = exampleEnvironment(readFileSync(path, 'utf8'))
  const request = { paths: [path], drivers: driverShapes, allowEmpty: false, environment }
  return (await loadFleet(request)).definition
}

async function typesIn(path: string): Promise<string[]> {
  return (await loaded(path)).policies.values.map(({ type }) => type)
}

/** The fenced fleet files of a document; a fleet file begins with its version. */
function fleetFilesIn(document: string): string[] {
  const text = readFileSync(join(root, document), 'utf8')
  return [...text.matchAll(/^```yaml(?: [^\n]*)?\n(version: 1\n[\s\S]*?)^```$/gm)].map((match) => match[1]!)
}

// The recipes of CONTRIBUTING.md name drivers that do not exist yet; following them tries their examples.
const documents = globSync(['*.md', 'docs/*.md'], { cwd: root, exclude: ['CONTRIBUTING.md'] })
const written = documents.flatMap((document) =>
  fleetFilesIn(document).map((text, index) => ({ name: `${document}, example ${index + 1}`, text })),
)

describe('an example', () => {
  it.each(Object.keys(driverShapes.checks))('of the check %s is right and uses it', async (name) => {
    expect(await typesIn(exampleFile(checkPages, name))).toContain(name)
  })

  it.each(Object.keys(driverShapes.notifiers))(
    'of the notification %s is right and uses it',
    async (name) => {
      const { endpoints } = await loaded(exampleFile(notifierPages, name))
      expect([...endpoints.values()].map(({ type }) => type)).toEqual([name])
    },
  )

  it.each(Object.keys(driverShapes.recoveries))('of the recovery %s is right and uses it', async (name) => {
    const { recoveries } = await loaded(exampleFile(recoveryPages, name))
    expect(recoveries.values.map((recovery) => recovery?.type)).toContain(name)
  })

  it('to start with is right', async () => {
    expect(await typesIn(join(root, 'examples/starter.yaml'))).not.toEqual([])
  })

  it.each(written)('in $name is right', async ({ text }) => {
    const folder = mkdtempSync(join(tmpdir(), 'example-'))
    try {
      const path = join(folder, 'fleet.yaml')
      writeFileSync(path, text)
      expect(await typesIn(path)).not.toEqual([])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

describe('a default in the schema', () => {
  it('is the one in force', async () => {
    const { policies } = await loaded(exampleFile(checkPages, 'tcp'))
    const { enabled, intervalMs, timeoutMs, unhealthyThreshold, healthyThreshold, retries } =
      policies.values[0]!
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
