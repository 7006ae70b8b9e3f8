// `npm run release` in a copy of this checkout whose check is a stand-in: the real one is a part of every other run.
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeUnless, temporaryFolder } from '@pulseward/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { whyNoPackages } from '../packages/installation.ts'
import { readManifest } from '../packages/published-manifest.ts'
import { TemporaryClone } from '../recipes/temporary-clone.ts'

const repository = join(import.meta.dirname, '../..')
/** A whole release, with its builds. */
const timeout = 300_000
const archives = ['contract', 'client', 'worker']
  .map((name) => `pulseward-${name}-99.0.0.tgz`)
  .concat('pulseward-99.0.0.tgz')

describeUnless(whyNoPackages, 'npm run release', () => {
  let checkout: TemporaryClone
  beforeAll(() => {
    checkout = new TemporaryClone()
    // Right after a release there is nothing to release.
    edit('CHANGELOG.md', (text) => text.replace('## [Unreleased]\n', '## [Unreleased]\n\n- A change.\n'))
  })
  afterAll(() => checkout[Symbol.dispose]())

  function edit(file: string, change: (text: string) => string): void {
    const path = join(checkout.root, file)
    writeFileSync(path, change(readFileSync(path, 'utf8')))
  }

  function git(...words: string[]): string {
    const author = ['-c', 'user.name=Release', '-c', 'user.email=release@example.invalid']
    return execFileSync('git', [...author, ...words], { cwd: checkout.root, encoding: 'utf8' })
  }

  /** Has `npm run check` end with this code. */
  function commitCheck(code: number): void {
    edit('package.json', (text) => text.replace(/("check": )"[^"]*"/, `$1"exit ${code}"`))
    git('commit', '--quiet', '--all', '--message', 'Stand in for the check')
  }

  it('changes nothing when the check fails', { timeout }, async () => {
    commitCheck(1)
    const { code, output } = await checkout.run('npm run --silent release -- 99.0.0')
    expect({ code, output }).toEqual({
      code: 1,
      output: expect.stringContaining('`npm run check` ended with 1'),
    })
    expect(checkout.changedFiles()).toEqual([])
    expect(existsSync(join(checkout.root, '.cache/packages-99.0.0'))).toBe(false)
  })

  it('says with --dry-run what it would publish, and changes nothing', { timeout }, async () => {
    commitCheck(0)
    const { code, output } = await checkout.run('npm run --silent release -- 99.0.0 --dry-run')
    expect(code, output).toBe(0)
    expect(output).toMatch(/^pulseward 99\.0\.0 +\d+ +[\d.]+ kB +[\d.]+ kB$/m)
    expect(output.match(/^ {2}npm publish .*$/gm)).toEqual(
      archives.map((archive) => `  npm publish .cache/packages-99.0.0/${archive}`),
    )
    expect(checkout.changedFiles()).toEqual([])
    expect(existsSync(join(checkout.root, '.cache/packages-99.0.0'))).toBe(false)
  })

  it('leaves versions, changelog and archives in the checkout, and neither commits nor tags', {
    timeout,
  }, async () => {
    const commits = git('rev-list', '--count', 'HEAD')
    const { code, output } = await checkout.run('npm run --silent release -- 99.0.0')
    expect(code, output).toBe(0)
    expect(checkout.changedFiles()).toEqual(
      expect.arrayContaining(['CHANGELOG.md', 'package-lock.json', 'packages/cli/package.json']),
    )
    expect(readManifest(checkout.root).version).toBe('99.0.0')
    expect(readFileSync(join(checkout.root, 'CHANGELOG.md'), 'utf8')).toMatch(
      /^## \[Unreleased\]\n\n## \[99\.0\.0\] - \d{4}-\d\d-\d\d\n\n- A change\.$/m,
    )
    expect(git('rev-list', '--count', 'HEAD')).toBe(commits)
    expect(git('tag')).toBe('')
    const packed = globSync('*.tgz', { cwd: join(checkout.root, '.cache/packages-99.0.0') })
    expect(packed.sort()).toEqual([...archives].sort())
  })

  it('packs nothing that names a folder of this machine', () => {
    using folder = temporaryFolder()
    for (const archive of archives) {
      const path = join(checkout.root, '.cache/packages-99.0.0', archive)
      execFileSync('tar', ['-xzf', path, '-C', folder.root])
      const files = globSync('package/**/*.{js,json,md,ts}', { cwd: folder.root })
      expect(files.length).toBeGreaterThan(10)
      const telling = files.filter((file) => {
        const text = readFileSync(folder.path(file), 'utf8')
        return text.includes(repository) || text.includes(checkout.root)
      })
      expect(telling).toEqual([])
    }
  })
})
