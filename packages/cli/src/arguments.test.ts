import { describe, expect, it } from 'vitest'
import { type FlagSpec, lastValue, parseArguments } from './arguments.ts'

const specs: Record<string, FlagSpec> = {
  config: { kind: 'value', summary: '' },
  listen: { kind: 'value', summary: '' },
  'log-level': { kind: 'value', summary: '' },
  watch: { kind: 'switch', summary: '' },
  output: { kind: 'value', summary: '', short: 'o' },
  'dry-run': { kind: 'optional', summary: '', values: ['client', 'server'] },
}

describe('arguments', () => {
  it.each<[words: string[], flags: Record<string, string[]>, operands: string[]]>([
    [[], {}, []],
    [['--config', 'a', '--config=b'], { config: ['a', 'b'] }, []],
    [['--watch', 'a'], { watch: ['true'] }, ['a']],
    [['--dry-run'], { 'dry-run': ['true'] }, []],
    [['--dry-run=server', '--dry-run', 'client'], { 'dry-run': ['server', 'client'] }, []],
    [
      ['--dry-run', 'file', '--dry-run', '--watch'],
      { 'dry-run': ['true', 'true'], watch: ['true'] },
      ['file'],
    ],
    [['--watch=false'], { watch: ['false'] }, []],
    [['a', '--listen=:8060', 'b'], { listen: [':8060'] }, ['a', 'b']],
    [['--config=a=b=c'], { config: ['a=b=c'] }, []],
    [['--config='], { config: [''] }, []],
    [['--config', '-'], { config: ['-'] }, []],
    [['--config', '-dash.yaml'], { config: ['-dash.yaml'] }, []],
    [['--', '--config', '-x'], {}, ['--config', '-x']],
    [['-'], {}, ['-']],
    [['-o', 'json', 'a', '-o=yaml'], { output: ['json', 'yaml'] }, ['a']],
  ])('%j are read as flags %j and operands %j', (words, flags, operands) => {
    const parsed = parseArguments(words, specs)
    expect(Object.fromEntries(parsed.flags)).toEqual(flags)
    expect(parsed.operands).toEqual(operands)
  })

  it.each([
    [['--confg', 'a'], 'There is no flag --confg. Did you mean --config?'],
    [['--confg=a'], 'There is no flag --confg. Did you mean --config?'],
    [['--logLevel', 'a'], 'There is no flag --logLevel. Did you mean --log-level?'],
    [['--log_level=a'], 'There is no flag --log_level. Did you mean --log-level?'],
    [['-watch'], 'There is no flag -watch. Did you mean --watch?'],
    [['-w'], 'There is no flag -w. See --help.'],
    [['--zzzzzz'], 'There is no flag --zzzzzz. See --help.'],
    [['--toString'], 'There is no flag --toString. See --help.'],
    [['--__proto__'], 'There is no flag --__proto__. See --help.'],
    [['--config'], '--config needs a value.'],
    [['-o'], '--output needs a value.'],
    [['--o', 'json'], 'There is no flag --o. See --help.'],
    [['--config', '--watch'], '--config needs a value.'],
  ])('%j are refused: %s', (words, message) => {
    expect(() => parseArguments(words, specs)).toThrow(message)
  })

  it('count the last value of a flag', () => {
    const parsed = parseArguments(['--listen', '1', '--listen', '2'], specs)
    expect(lastValue(parsed, 'listen')).toBe('2')
    expect(lastValue(parsed, 'config')).toBeNull()
  })
})
