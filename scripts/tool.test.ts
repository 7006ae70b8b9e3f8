import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'

async function tool(...words: string[]) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'tool.ts'), ...words])
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  return { code, stdout, stderr }
}

describe('npm run tool', () => {
  it('lists the tools when none is named', async () => {
    const { code, stdout } = await tool()
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^ {2}packages +writes/m)])
  })

  it('hands the other words to the tool', async () => {
    const { code, stdout } = await tool('generators', '--help')
    expect([code, stdout]).toEqual([0, expect.stringContaining('Usage: npm run tool -- generators [--help]')])
  })

  it('says how to see the list when there is no such tool', async () => {
    const { code, stderr } = await tool('package')
    expect([code, stderr]).toEqual([2, 'There is no tool “package”. Run it with --help to see them all.\n'])
  })
})
