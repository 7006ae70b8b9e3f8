// scripts/first-run.ts: `npm run tool -- first-run` runs the commands of the README as newcomers do, each in
// a new clone of what is committed, and prints a transcript: on four versions of Node.js, in four languages,
// as root and as an ordinary user, and on a machine without libatomic. `npm test` runs completely once per
// version, and only its browser part in the other languages.
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommand } from './command-line/command.ts'
import { type FlagValues, someOf, toggle } from './command-line/flags.ts'
import { CleanClone } from './first-run/clean-clone.ts'
import { type Host, thisHost } from './first-run/host.ts'
import { installNodeVersions, nodeMajors } from './first-run/node-versions.ts'

const languages = [null, 'C', 'C.UTF-8', 'de_DE.UTF-8']
const ordinaryUser = 65_534
const isRoot = process.getuid?.() === 0
const flags = {
  node: someOf('MAJOR', nodeMajors.map(String), 'only these versions of Node.js'),
  quick: toggle('npm start and one folder of tests instead of the whole suites'),
}
type Options = FlagValues<typeof flags>

async function makeTranscript(options: Options): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'pulseward-hosts-'))
  chmodSync(folder, 0o755)
  try {
    const nodes = installNodeVersions(folder, options.node.map(Number))
    const { npm } = thisHost()
    for (const [index, { node, version }] of nodes.entries()) {
      // If this is root, every second version runs as an ordinary user; an ordinary user cannot switch.
      const uid = isRoot && index % 2 === 1 ? ordinaryUser : null
      const host = { node, npm, home: makeHome(folder, uid), uid, hasLibatomic: true }
      for (const [place, language] of languages.entries()) {
        await newcomer({ ...host, language }, version, place === index % languages.length, options)
      }
    }
    // Node.js 24 and later may need the library themselves.
    const early = nodes.find(({ version }) => version.startsWith('20.'))
    if (early !== undefined) {
      const host = { node: early.node, npm, home: makeHome(folder, null), uid: null, language: null }
      await newcomer({ ...host, hasLibatomic: false }, early.version, true, options)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function newcomer(
  host: Host,
  version: string,
  runsAllTests: boolean,
  { quick }: Options,
): Promise<void> {
  const user = isRoot && host.uid === null ? 'root' : 'ordinary user'
  const lacks = host.hasLibatomic ? '' : ', no libatomic'
  print(`\nNode.js ${version}, LANG ${host.language ?? 'unset'}, ${user}${lacks}`)
  await using clone = new CleanClone(host)
  const { seconds, overview, page, script } = await clone.start()
  const isWhole = overview.total === 4 && page.includes('<title>Pulseward</title>') && script !== ''
  step('npm start', `${overview.total} monitors, page ${isWhole ? 'served' : 'MISSING'}`, seconds, isWhole)
  for (const { command, code, output, seconds } of await clone.manage()) {
    const said = output.trimEnd().split('\n').at(-1) ?? ''
    step(command, said.slice(0, 42), seconds, code === 0)
    if (code !== 0) print(output)
  }
  if (runsAllTests) {
    await using untouched = new CleanClone(host)
    await test(untouched, quick ? ['packages/contract'] : [])
  } else await test(clone, [quick ? 'packages/contract' : 'e2e'])
}

async function test(clone: CleanClone, paths: readonly string[]): Promise<void> {
  const words = ['npm', 'test', ...(paths.length > 0 ? ['--', ...paths] : [])]
  const { code, output, seconds } = await clone.run(words)
  const counts = /^\d+ passed, \d+ failed, \d+ skipped$/m.exec(output)?.[0] ?? 'no counts'
  step(words.join(' '), counts, seconds, code === 0)
  if (code !== 0) print(output)
}

function step(command: string, said: string, seconds: number, isRight: boolean): void {
  print(
    `  ${isRight ? '✓' : '✗'} ${command.padEnd(30)} ${said.padEnd(42)} ${seconds.toFixed(0).padStart(4)} s`,
  )
  if (!isRight) process.exitCode = 1
}

function makeHome(folder: string, uid: number | null): string {
  const home = join(folder, uid === null ? 'home' : 'home-of-ordinary-user')
  mkdirSync(home, { recursive: true })
  if (uid !== null) chownSync(home, uid, uid)
  return home
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

const about = 'Gives the commands of the README as newcomers do, in clean clones, and prints a transcript.'
await runCommand({ call: 'npm run tool -- first-run', about, flags }, async (options) => {
  if (process.platform === 'linux' && process.arch === 'x64') return makeTranscript(options)
  process.stderr.write(
    'The transcript is made on Linux x64, where the npm registry has every version of Node.js.\n',
  )
  process.exitCode = 1
})
