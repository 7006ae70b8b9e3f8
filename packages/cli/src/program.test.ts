// What holds for every command: it explains itself, its examples are right, and shells complete it.
import { execFileSync } from 'node:child_process'
import { codes, statuses, v2 } from '@pulseward/contract'
import { describe, expect, it } from 'vitest'
import { parseArguments } from './arguments.ts'
import { runInProcess } from './client/command.fixture.ts'
import { loadCommands } from './commands.ts'

const all = Object.entries(await loadCommands())

/** The words of the last `pulseward …` of a line, as a shell would pass them on. */
function wordsOf(example: string): string[] {
  const line = example.slice(example.lastIndexOf('pulseward ') + 'pulseward '.length).split(/ [>|] |\)$/)[0]!
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!)
}

describe('every command', () => {
  it.each(all)('%s explains itself with examples that parse', async (name, command) => {
    const { code, stdout, stderr } = await runInProcess([name, '--help'])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain(`pulseward ${name}: ${command.summary}`)
    expect(await runInProcess(['help', name])).toEqual({ code, stdout, stderr })
    for (const flag of Object.keys(command.flags))
      expect(stdout).toMatch(new RegExp(`^  (-\\w, )?--${flag}[ \n]`, 'm'))
    expect(command.examples.length).toBeGreaterThan(0)
    for (const example of command.examples) {
      const [first, ...words] = wordsOf(example)
      expect(stdout).toContain(example)
      expect(first).toBe(name)
      expect(() => parseArguments(words, command.flags)).not.toThrow()
    }
  })

  it('stands in the help of the program, in a group, on one line of a narrow terminal', async () => {
    const { stdout } = await runInProcess(['--help'])
    const titles = stdout.match(/^\S.*:$/gm)!
    expect(titles).toEqual([
      'Run the service:',
      'Report what runs elsewhere:',
      'Write and try fleet files:',
      'See how things are:',
      'Act when something is wrong (edition next):',
      'Change what is watched (edition next):',
      'Set up this command:',
    ])
    for (const line of stdout.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80)
    for (const [name, { summary }] of all)
      expect(stdout).toMatch(new RegExp(`^  ${name} +${RegExp.escape(summary)}$`, 'm'))
  })
})

describe('completion', () => {
  const complete = async (...words: string[]) => {
    const { stdout } = await runInProcess(['completion', 'bash'])
    const script = `${stdout}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _pulseward; printf '%s\\n' "\${COMPREPLY[@]}"`
    return execFileSync('bash', ['-c', script, 'bash', 'pulseward', ...words], { encoding: 'utf8' })
      .trim()
      .split('\n')
  }

  it('offers commands, their first words and their flags in bash', async () => {
    expect(await complete('un')).toEqual(['unsnooze'])
    expect(await complete('get', 'mon')).toEqual(['monitors', 'monitor'])
    expect(await complete('snooze', 'a', '--re')).toEqual(['--reason', '--revision', '--request-timeout'])
    expect(await complete('apply', '-f', '/et')).toEqual(['/etc'])
  })

  const offered: readonly (readonly [line: string, values: readonly string[]])[] = [
    ['get -o', ['table', 'wide', 'json', 'yaml']],
    ['get --output', ['table', 'wide', 'json', 'yaml']],
    ['get --output =', ['table', 'wide', 'json', 'yaml']],
    ['settings -o', ['table', 'json']],
    ['get history --order', ['asc', 'desc']],
    ['get monitors --status', [...statuses]],
    ['get monitors --color', [...codes]],
    ['serve --edition', ['main', 'candidate', 'next']],
    ['demo --store', ['memory', 'sqlite']],
    ['serve --log-level', ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']],
    ['serve --log-format', ['pretty', 'json']],
    ['wait monitor a --for', ['up', 'degraded', 'down', 'closed', 'open', 'ended']],
    ['review a --resolution', [...v2.reviewResolutions]],
    ['apply --dry-run', ['client', 'server']],
  ]
  const offers = 'offers what the value of %s may be in bash'
  it.each(offered.slice(0, 3))(offers, offersValues)
  it.each(offered.slice(3))(offers, { tags: 'long' }, offersValues)

  async function offersValues(line: string, values: readonly string[]): Promise<void> {
    expect((await complete(...line.split(' '), '')).sort()).toEqual([...values].sort())
    expect(await complete(...line.split(' '), values[0]!.slice(0, -1))).toContain(values[0])
  }

  it('knows the values of every flag that has them, in zsh and fish too', async () => {
    const [zsh, fish] = await Promise.all(['zsh', 'fish'].map((shell) => runInProcess(['completion', shell])))
    const flags = all.flatMap(([, command]) => Object.entries(command.flags))
    expect(flags.filter(([, { values }]) => values !== undefined).length).toBeGreaterThan(10)
    for (const [name, { values }] of flags) {
      if (values === undefined) continue
      expect(zsh!.stdout).toMatch(new RegExp(`--${name}=\\[.*:\\(${values.join(' ')}\\)`))
      expect(fish!.stdout).toMatch(new RegExp(`-l ${name} .*-x -a '${values.join(' ')}'`))
    }
  })

  it.each(['bash', 'zsh', 'fish'])('names every command and flag in %s', async (shell) => {
    const { code, stdout } = await runInProcess(['completion', shell])
    expect(code).toBe(0)
    for (const [name, { flags }] of all) {
      expect(stdout).toContain(name)
      for (const flag of Object.keys(flags)) expect(stdout).toContain(flag)
    }
  })

  it.each([[[]], [['tcsh']], [['bash', 'zsh']]])('of %j is wrong usage', async (words) => {
    expect(await runInProcess(['completion', ...words])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'pulseward: Name one shell: pulseward completion bash|zsh|fish\n',
    })
  })
})
