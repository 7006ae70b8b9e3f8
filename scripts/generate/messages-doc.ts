// scripts/generate/messages-doc.ts: the sentences that the program can say to people, as searchable pages: one per area,
// and one of the problem codes. Collected from the sources, so a new sentence appears without another edit.
import { globSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { problems, sessionProblems, v2 } from '@pulseward/contract'
import { isTestSupport } from '../check/places.ts'
import { code, madeFrom, table } from './markdown.ts'
import { type Area, areaOf, areas } from './messages/areas.ts'
import { collectMessages } from './messages/collect-messages.ts'
import { sessionRemedies, v1Remedies, v2Remedies } from './messages/problem-remedies.ts'

const folder = 'docs/generated/messages'
const sources = [
  'packages/{server,cli,client,worker,dashboard}/{src,bin}/**/*.{ts,tsx,js}',
  'packages/contract/src/v1/words/*.ts',
  'packages/contract/src/v2/selector.ts',
  'scripts/ensure-*.js',
]
/** Texts for other programs and for invented fleets, which do not report anything. */
const silent =
  /(\.test\.ts|\/generated\/.*|\/demo\/.*|\/worker-project\/.*|metric-registry\.ts|setting-table\.ts|completion\.ts|exposition\.ts)$/
const defects: Area = {
  name: 'defects',
  title: 'Messages of defects',
  text: `Only a defect of the program can cause them; the command shows them behind "something went wrong inside". Keep the
whole output and the log, and report it.`,
  paths: [],
}

export async function messagesDoc(root = join(import.meta.dirname, '../..')): Promise<Map<string, string>> {
  const said = new Map([...areas, defects].map((area) => [area, new Map<string, Set<string>>()]))
  for (const file of globSync(sources, { cwd: root }).sort()) {
    const path = file.split(sep).join('/')
    if (silent.test(path) || isTestSupport(path)) continue
    const area = areaOf(path)
    for (const { text, isDefect } of collectMessages(path, readFileSync(join(root, path), 'utf8'))) {
      const chosen = isDefect ? defects : area
      if (chosen === null)
        throw new Error(`${path} says "${text}", and no area of messages/areas.ts names it`)
      const places = said.get(chosen)!
      places.set(text, (places.get(text) ?? new Set()).add(path))
    }
  }
  const pages = [...said].map(([area, texts]) => [`${folder}/${area.name}.md`, page(area, texts)] as const)
  return new Map([[`${folder}/index.md`, index(said)], [`${folder}/codes.md`, codesPage()], ...pages])
}

type Said = ReadonlyMap<string, ReadonlySet<string>>

function page({ title, text }: Area, texts: Said): string {
  const rows = [...texts]
    .sort(([one], [other]) => plain(one).localeCompare(plain(other), 'en'))
    .map(([message, files]) => [quoted(message), [...files].map((file) => code(short(file))).join('<br>')])
  return `${madeFrom('the sources of the packages')}
# ${title}

${text}

\`…\` stands for what is put in.

${table(['Message', 'Said by'], rows)}
`
}

/** For sorting by letters: quotes and gaps do not count. */
function plain(message: string): string {
  return message.replace(/[^\p{L}\p{N} ]/gu, '').trim()
}

/** As code, even if the message contains backticks. */
function quoted(message: string): string {
  return message.includes('`') ? `\`\` ${message} \`\`` : code(message)
}

/** Relative to packages/ or to the sources of the server. */
function short(file: string): string {
  return file.replace(/^packages\/(server\/src\/)?/, '')
}

function index(said: ReadonlyMap<Area, Said>): string {
  const rows = [...said].map(([{ name, title }, texts]) => [`[${title}](${name}.md)`, String(texts.size)])
  const codeCount = [problems, sessionProblems, v2.problems].flatMap((one) => Object.keys(one)).length
  return `${madeFrom('the sources of the packages')}
# Messages

The sentences that the program can say, collected from its sources, by where they are said, with what to do. Paste a message
into the search of this site, or look for the words of it that do not change. A sentence that is put together from parts is
listed by its parts; parts of one or two words are left out. [Troubleshoot](../../troubleshooting.md) begins with what you see.

${table(['Page', 'Messages'], [['[Problem codes](codes.md)', String(codeCount)], ...rows])}
`
}

type Catalogue = Readonly<Record<string, { readonly status: number; readonly title: string }>>

function codesPage(): string {
  const rows = (catalogue: Catalogue, remedies: Readonly<Record<string, string>>) =>
    table(
      ['Code', 'Status', 'Title', 'What to do'],
      Object.entries(catalogue).map(([name, { status, title }]) => [
        code(name),
        String(status),
        title,
        remedies[name] ?? '',
      ]),
    )
  return `${madeFrom('packages/contract and scripts/generate/messages/problem-remedies.ts')}
# Problem codes

The \`code\` of an \`application/problem+json\` answer. It is stable; the sentence in \`detail\` may change.

## v1

${rows(problems, v1Remedies)}

## Sessions of the dashboard

${rows(sessionProblems, sessionRemedies)}

## v2

${rows(v2.problems, v2Remedies)}

## Exit codes of the command

| Code | Meaning | What to do |
| --- | --- | --- |
| \`0\` | done | |
| \`1\` | the answer is "no": a file is invalid, the service is not ready, a check failed | read what was printed |
| \`2\` | wrong usage, or a file or the store cannot be used | read the sentence; \`pulseward COMMAND --help\` |
| \`3\` | the service could not be reached, or refused; of \`serve\`: another process has taken over its store | look at the address, the token and the service; let only one process use a data directory |

## Reasons of fields

The \`reason\` of an entry of \`errors\` in v2; its \`message\` says the rest.

${table(
  ['Reason', 'Meaning'],
  Object.entries(v2.fieldReasons).map(([reason, meaning]) => [code(reason), meaning]),
)}
`
}
