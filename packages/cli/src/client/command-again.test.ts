import { describe, expect, it } from 'vitest'
import { parseArguments } from '../arguments.ts'
import { commandAgain } from './command-again.ts'

const flags = {
  filename: { kind: 'value', short: 'f', summary: '' },
  wait: { kind: 'switch', summary: '' },
  resume: { kind: 'value', summary: '' },
} as const

describe('a command that goes on', () => {
  it('repeats what was given, fit for a shell', () => {
    const parsed = parseArguments(['-f', "it's here.ndjson", '-f', '-', '--wait', '--resume', 'old'], flags)
    expect(commandAgain('apply', parsed, { resume: 'op-1' })).toBe(
      `pulseward apply -f 'it'\\''s here.ndjson' -f - --wait --resume op-1`,
    )
  })
})
