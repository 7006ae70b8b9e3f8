// The first commands of the README as a newcomer gives them: in a clone of what is committed, with an empty node_modules,
// and nothing but the host's node and npm on the PATH.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describeUnless } from '@pulseward/testing'
import { expect, it } from 'vitest'
import { CleanClone } from './clean-clone.ts'
import { thisHost } from './host.ts'

const repository = join(import.meta.dirname, '../..')
const noClone =
  process.platform === 'win32' || !existsSync(join(repository, '.git'))
    ? 'a clone can be made of a git checkout only, and not on Windows'
    : null

describeUnless(noClone, 'a clean clone', () => {
  it('serves the overview and the page after npm start, and then creates a monitor', {
    tags: 'long',
    timeout: 600_000,
  }, async () => {
    await using clone = new CleanClone(thisHost())
    const { overview, page, script } = await clone.start()
    expect(overview.total).toBe(4)
    expect(page).toContain('<title>Pulseward</title>')
    expect(script.length).toBeGreaterThan(50_000)
    const given = await clone.manage()
    expect(
      given.map(({ code }) => code),
      given.map(({ output }) => output).join(''),
    ).toEqual([0, 0, 0])
    const [applied = '', waited = '', listed = ''] = given.map(({ output }) => output)
    expect(applied).toMatch(/^Monitor\/pulseward-ready +created/m)
    expect(waited).toContain('Monitor pulseward-ready is up.')
    expect(listed.match(/^\S.* (up|down|incident|verifying|unknown) .*$/gm)).toHaveLength(5)
    expect(listed).toMatch(/^pulseward-ready +up +Pulseward is /m)
  })
})
