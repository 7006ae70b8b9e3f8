import { describe, expect, it } from 'vitest'
import { readCommandLine } from '../scripts/command-line/command.ts'
import { benchmarks } from './benchmarks.ts'

describe.each(Object.entries(benchmarks))('npm run bench -- %s', (name, { about, flags }) => {
  const command = { call: `npm run bench -- ${name}`, about, flags }

  it('prints every flag for --help', () => {
    const line = readCommandLine(command, ['--help'])
    expect(line.kind).toBe('help')
    for (const flag of Object.keys(flags))
      expect(line).toHaveProperty('text', expect.stringContaining(`--${flag}`))
  })

  it('refuses a flag that it does not have', () => {
    expect(readCommandLine(command, ['--no-such-flag', '1'])).toMatchObject({ kind: 'wrong' })
  })
})
