// The command without what is optional: no runtime and no packages for single checks.
import { describeUnless } from '@pulseward/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findNode, Installation, NodeHost, whyNoPackages } from './installation.ts'

const program = 'node_modules/pulseward/bin/pulseward.js'

describeUnless(whyNoPackages, 'pulseward without optional dependencies', () => {
  let installation: Installation
  beforeAll(() => {
    installation = Installation.install(['pulseward'], '--omit=optional')
  })
  afterAll(() => installation[Symbol.dispose]())

  it('runs on a Node.js that is new enough', async () => {
    using host = new NodeHost(process.execPath)
    const { code, output } = await host.run(['npx', 'pulseward', 'drivers'], installation.root)
    expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('postgres') })
  })

  it('says how to install the package that a check needs', async () => {
    const check = { type: 'mysql', config: { host: 'db.example', user: 'watch', password: 'w' } }
    const fleet = { version: 1, monitors: [{ id: 'db', name: 'DB', check }] }
    const file = installation.write('mysql.json', JSON.stringify(fleet))
    using host = new NodeHost(process.execPath)
    const { code, output } = await host.run(['npx', 'pulseward', 'validate', file], installation.root)
    expect(code).toBe(1)
    expect(output).toMatch(/mysql needs the package "mysql2", which is not installed: npm install mysql2@\d/)
  })

  it('says on an older Node.js what to do', async ({ skip }) => {
    const older = findNode(20)
    if (typeof older === 'string') return skip(older)
    using host = new NodeHost(older.node)
    const { code, output } = await host.run(['node', program, '--version'], installation.root)
    expect(code).toBe(3)
    expect(output).toBe(
      `pulseward needs Node.js 24 or newer, or the runtime among its dependencies (this is Node.js v${older.version}): ` +
        'install it again without --omit=optional or upgrade Node.js.\n',
    )
  })
})
