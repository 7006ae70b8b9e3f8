// The examples of the documents, as they are written: commands run against a real service, settings are read, programs
// type-check. Fleet files are validated by scripts/generate/examples.test.ts.
import { execFileSync, spawnSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { resolveSettings } from '@pulseward/server'
import { describeUnless, temporaryFolder } from '@pulseward/testing'
import { describe, expect, it } from 'vitest'
import { exampleEnvironment } from '../../generate/example-environment.ts'
import { blocksOf, type CodeBlock, documentedBlocks } from './code-blocks.ts'
import { ExampleWorld } from './example-world.ts'
import { writeMovingFiles } from './moving-files.fixture.ts'

const root = join(import.meta.dirname, '../../..')
const blocks = documentedBlocks()
/** Of this program, or of what talks to it; benchmarks and the tools of others are not run. */
const ours = /^\s*\(?(?:umask \d+; *)?(?:[A-Z_]+=\S* )*(?:(?:npx )?pulseward|npm start|curl)\b/m
const commands = blocks.filter(({ language, text }) => language === 'sh' && ours.test(text))
const yaml = blocks.filter(({ language }) => language === 'yaml')
const nameOf = ({ document, line }: CodeBlock) => `${document}:${line}`

/** Each can be read in its page; one more is a deliberate choice. */
const notRunCount = 10

const missing = ['bash', 'curl', 'grep', 'seq', 'sed'].filter((name) => spawnSync(name, ['--version']).error)
const whyNoCommands = missing.length > 0 ? `this machine has no ${missing.join(', ')}` : null

describeUnless(whyNoCommands, 'the commands', () => {
  const pages = [...new Set(commands.filter(({ notRun }) => notRun === null).map(({ document }) => document))]
  it.concurrent.each(pages)('of %s can be given as they are written', { tags: 'long' }, async (page) => {
    const ofPage = blocks.filter(({ document }) => document === page)
    await using world = await ExampleWorld.start(exampleEnvironment(ofPage.map(({ text }) => text).join()))
    writeMovingFiles(world.folder)
    for (const block of ofPage) {
      if (block.file !== null) world.write(block.file, block.text)
      if (!commands.includes(block) || block.notRun !== null) continue
      const { code, output } = await world.run(block)
      expect({ at: nameOf(block), code, output }).toEqual({ at: nameOf(block), code: 0, output })
    }
  })
})

describe('the examples', () => {
  it('say why they are not run, and few are not', () => {
    expect(commands.filter(({ notRun }) => notRun !== null).map(nameOf)).toHaveLength(notRunCount)
    const marked = blocksOf('a.md', '```sh not-run="needs a proxy"\ncurl x\n```\n')
    expect(marked).toMatchObject([{ language: 'sh', notRun: 'needs a proxy', text: 'curl x\n' }])
  })

  const settings = yaml.filter(({ text }) => !/^(version: 1|apiVersion:|# yaml-language-server)/.test(text))
  it.each(settings.map((block) => [nameOf(block), block] as const))(
    'of settings at %s are valid',
    (_, block) => {
      using folder = temporaryFolder({ 'settings.yaml': block.text })
      const sources = { flags: new Map(), environment: {}, file: folder.path('settings.yaml') }
      expect(() => resolveSettings(sources)).not.toThrow()
    },
  )

  const resources = yaml.filter(({ text }) => text.startsWith('apiVersion:'))
  it.each(resources.map((block) => [nameOf(block), block] as const))(
    'of resources at %s are applied',
    (_, block) => {
      const applied = commands.filter(
        ({ document, notRun }) => document === block.document && notRun === null,
      )
      expect(applied.map(({ text }) => text).join()).toContain(`apply -f ${block.file}`)
    },
  )

  const programs = blocks.filter(({ language }) => language === 'ts')
  it.each(programs.map((block) => [nameOf(block), block] as const))(
    'in TypeScript at %s type-check',
    { tags: 'long' },
    (_, block) => {
      using folder = temporaryFolder({ 'package.json': '{ "type": "module" }', 'example.ts': block.text })
      symlinkSync(join(root, 'node_modules'), folder.path('node_modules'))
      const flags =
        '--ignoreConfig --noEmit --strict --target esnext --module nodenext --allowImportingTsExtensions --skipLibCheck --types node'
      const tsc = join(root, 'node_modules/.bin/tsc')
      const checked = () =>
        execFileSync(tsc, [...flags.split(' '), 'example.ts'], { cwd: folder.root, encoding: 'utf8' })
      expect(checked()).toBe('')
    },
  )
})
