// What is in the archives that are published: looked at in the archives themselves, not in what npm says about them.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describeUnless, temporaryFolder } from '@pulseward/testing'
import { describe, expect, it } from 'vitest'
import { contentMistakes, type PackedFile, sizeBounds } from './content-rules.ts'
import { archiveOf, whyNoPackages } from './installation.ts'
import { type Manifest, readManifest } from './published-manifest.ts'

const root = join(import.meta.dirname, '../..')

function unpack(name: string) {
  const folder = temporaryFolder()
  execFileSync('tar', ['-xzf', archiveOf(name), '-C', folder.root])
  const home = folder.path('package')
  const files = readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry): PackedFile => {
      const path = join(entry.parentPath, entry.name)
      return { path: relative(home, path), bytes: statSync(path).size }
    })
  return { home, files, manifest: readManifest(home), [Symbol.dispose]: () => folder[Symbol.dispose]() }
}

function dependenciesOf({ dependencies, optionalDependencies }: Manifest): [string, string][] {
  return Object.entries({ ...dependencies, ...optionalDependencies })
}

describeUnless(whyNoPackages, 'the archives', () => {
  describe.each(Object.keys(sizeBounds))('%s', (name) => {
    it('holds what users need, and neither sources nor tests', () => {
      using unpacked = unpack(name)
      const unpackedBytes = unpacked.files.reduce((sum, { bytes }) => sum + bytes, 0)
      const packedBytes = statSync(archiveOf(name)).size
      expect(contentMistakes({ name, files: unpacked.files, packedBytes, unpackedBytes })).toEqual([])
    })

    it('can be published with provenance, and says where it comes from', () => {
      using unpacked = unpack(name)
      const { repository } = readManifest(root)
      expect(unpacked.manifest).toMatchObject({
        version: readManifest(root).version,
        description: expect.stringMatching(/\.$/),
        license: 'Apache-2.0',
        homepage: expect.stringMatching(/^https:/),
        bugs: expect.stringMatching(/^https:/),
        repository: { ...repository, directory: expect.stringMatching(/^packages\//) },
        engines: { node: expect.stringMatching(/^>=\d+$/) },
        publishConfig: { access: 'public', provenance: true },
      })
      expect(unpacked.manifest.private).toBeUndefined()
    })

    it('asks for exact versions', () => {
      using unpacked = unpack(name)
      for (const [, version] of dependenciesOf(unpacked.manifest))
        expect(version).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/)
    })

    it('has every file that its package.json names', () => {
      using unpacked = unpack(name)
      const { bin = {}, exports = {} } = unpacked.manifest
      const doors = Object.values(exports).flatMap((door) => Object.values(door as Record<string, string>))
      const named = [...Object.values(bin), ...doors]
      expect(named.length).toBeGreaterThan(0)
      expect(named.filter((path) => !existsSync(join(unpacked.home, path)))).toEqual([])
    })
  })

  it('pulseward depends on nothing that is bundled, and brings a runtime for every platform', () => {
    using unpacked = unpack('pulseward')
    const names = dependenciesOf(unpacked.manifest).map(([dependency]) => dependency)
    expect(unpacked.manifest.dependencies).toBeUndefined()
    expect(names.filter((dependency) => dependency.startsWith('@pulseward/'))).toEqual([])
    const launcher = readFileSync(join(unpacked.home, 'bin/launch.js'), 'utf8')
    const runtimes = [...launcher.matchAll(/^ {2}'\w+-\w+': '([\w-]+)',$/gm)].map(([, runtime]) => runtime)
    expect(runtimes).toHaveLength(5)
    expect(names).toEqual(expect.arrayContaining(runtimes))
  })

  it('pulseward has the page, and passes on the licenses of what is bundled', () => {
    using unpacked = unpack('pulseward')
    const paths = unpacked.files.map(({ path }) => path)
    expect(paths).toContain('dist/dashboard/index.html')
    expect(paths).toContain('dist/store-thread.js')
    const licenses = readFileSync(join(unpacked.home, 'THIRD-PARTY-LICENSES.md'), 'utf8')
    for (const used of ['pino', 'react', 'typebox', 'yaml'])
      expect(licenses).toMatch(new RegExp(`^## ${used} \\d+\\.\\d+\\.\\d+ \\([\\w-]+\\)\n\n {4}\\S`, 'm'))
  })
})
