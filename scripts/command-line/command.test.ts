import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { tools } from '../tool/tools.ts'
import { readCommandLine } from './command.ts'
import { duration, oneOf, percent, someOf, text, toggle, wholeNumber } from './flags.ts'

const command = {
  call: 'npm run example --',
  about: 'Does nothing.',
  flags: {
    rounds: wholeNumber(5, 'how often'),
    seed: wholeNumber(null, 'the seed', 0),
    every: duration(60, 'how soon again'),
    dead: percent(0, 'share of the dead'),
    type: oneOf(['tcp', 'http'], 'tcp', 'the kind'),
    only: someOf('NAME', ['one', 'two', 'three'], 'these alone'),
    folder: text('FOLDER', '.', 'where'),
    quick: toggle('less of it'),
  },
}
const defaults = {
  rounds: 5,
  seed: null,
  every: 60,
  dead: 0,
  type: 'tcp',
  only: ['one', 'two', 'three'],
  folder: '.',
  quick: false,
}

describe('a command line', () => {
  it.each([
    [[], {}],
    [['--rounds', '7', '--seed=0'], { rounds: 7, seed: 0 }],
    [['--every', '2m', '--dead', '2.5%'], { every: 120, dead: 2.5 }],
    [['--type', 'http', '--quick'], { type: 'http', quick: true }],
    [['--only', 'two,one', '--only', 'three'], { only: ['two', 'one', 'three'] }],
    [['--folder', 'there'], { folder: 'there' }],
  ])('reads %j over the defaults', (typed, changed) => {
    expect(readCommandLine(command, typed)).toEqual({
      kind: 'run',
      words: [],
      values: { ...defaults, ...changed },
    })
  })

  it.each([
    [['--bogus'], "Unknown option '--bogus'. Run it with --help to see every flag."],
    [['--rounds'], "Option '--rounds <value>' argument missing. Run it with --help to see every flag."],
    [['stray'], "Unexpected argument 'stray'. Run it with --help to see every flag."],
    [['--rounds', '0'], '--rounds needs a whole number from 1 on, not “0”.'],
    [['--rounds', '1e3'], '--rounds needs a whole number from 1 on, not “1e3”.'],
    [['--every', '20'], '--every needs a duration such as 20s or 1m, not “20”.'],
    [['--dead', '101%'], '--dead needs a percentage such as 2%, not “101%”.'],
    [['--type', 'udp'], '--type does not know “udp”; choose from tcp, http.'],
    [['--only', 'one,four'], '--only does not know “four”; choose from one, two, three.'],
  ])('refuses %j with a sentence', (typed, sentence) => {
    expect(readCommandLine(command, typed)).toEqual({ kind: 'wrong', sentence })
  })

  it('prints every flag with its default for --help, whatever else was typed', () => {
    const line = readCommandLine(command, ['--rounds', 'wrong', '--help'])
    expect(line).toEqual({
      kind: 'help',
      text: `Usage: npm run example -- [--flag value]…

Does nothing.

  --rounds N        how often (default 5)
  --seed N          the seed
  --every DURATION  how soon again (default 60s)
  --dead PERCENT    share of the dead (default 0%)
  --type tcp|http   the kind (default tcp)
  --only NAME,…     these alone: one, two, three (default all)
  --folder FOLDER   where (default .)
  --quick           less of it
  --help            print this and end
`,
    })
  })
})

const root = join(import.meta.dirname, '../..')

/** The scripts that read their command line here, and the tools; `pulseward` and biome read theirs themselves. */
function ownScripts(): [call: string, words: readonly string[]][] {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const ofPackage = Object.entries<string>(scripts)
    .map(([name, line]): [string, string[]] => [
      `npm run ${name} --`,
      line.replace(/^node scripts\/run\.js (--build )?/, '').split(' '),
    ])
    .filter(([, words]) => words.some((word) => /^(scripts|bench)\//.test(word)))
  const ofTools = Object.keys(tools).map((name): [string, string[]] => [
    `npm run tool -- ${name}`,
    ['scripts/tool.ts', name],
  ])
  return [...ofPackage, ...ofTools]
}

async function run(words: readonly string[]) {
  const child = spawn(process.execPath, words, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  const [stdout, stderr, [code]] = await Promise.all([
    textOf(child.stdout),
    textOf(child.stderr),
    once(child, 'close'),
  ])
  return { stdout, stderr, code }
}

describe.each(ownScripts())('%s', { tags: 'long' }, (call, words) => {
  it('prints its usage for --help and starts nothing', async () => {
    const { stdout, stderr, code } = await run([...words, '--help'])
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
    expect(stdout.split('\n')[0]).toMatch(new RegExp(`^Usage: ${call} `))
  })

  it('refuses a flag that it does not have, and starts nothing', async () => {
    const { stdout, stderr, code } = await run([...words, '--no-such-flag'])
    expect({ stdout, code }).toEqual({ stdout: '', code: 2 })
    expect(stderr).toMatch(/--no-such-flag.*\. Run it with --help to see .*\.\n$/)
  })
})
