// import/goalert/answer.ts: what the GraphQL API of GoAlert answers: sections of nodes, in one file or in pages.
import { Fields, isMapping } from '../fields.ts'
import type { FleetDraft } from '../fleet-draft.ts'
import { ImportError } from '../import-error.ts'
import { readDocuments } from '../read-source.ts'

const sections = ['users', 'rotations', 'schedules', 'userOverrides', 'escalationPolicies'] as const
type Section = (typeof sections)[number]

/** What every section is: a list of nodes, which may be a page of a longer one. */
export type Nodes = Readonly<Record<Section, readonly Fields[]>>

export async function readAnswer(file: string, draft: FleetDraft): Promise<Fields> {
  const [document = {}] = await readDocuments(file)
  const data = isMapping(document['data']) ? document['data'] : document
  if (!sections.some((section) => isMapping(data[section])))
    throw new ImportError(
      `${file} is not an answer of GoAlert: save what its GraphQL API answers to the query in docs/moving-in.md.`,
    )
  return new Fields(data, 'the answer', draft.notes)
}

export function nodesOf(answers: readonly Fields[], draft: FleetDraft): Nodes {
  const read = (section: Section): Fields[] => {
    const pages = answers.flatMap((answer) => answer.fields(section) ?? [])
    const hasMore = pages.map((page) => page.fields('pageInfo')?.flag('hasNextPage') ?? false)
    if (pages.length === 0) draft.notes.add('the answer', section, 'are missing')
    else if (!hasMore.includes(false))
      draft.notes.add('the answer', section, 'have more pages: save the others too, and name all files')
    const known = new Set<unknown>()
    return pages
      .flatMap((page) => page.subjects('nodes', nameOf))
      .filter((node) => {
        const id = node.take('id')
        return !known.has(id) && known.add(id)
      })
  }
  return Object.fromEntries(sections.map((section) => [section, read(section)])) as unknown as Nodes
}

function nameOf({ name, target, id }: Record<string, unknown>): string {
  const owner = isMapping(target) ? target['name'] : undefined
  const given = [name, owner, id].find((text) => typeof text === 'string' && text.trim() !== '')
  return typeof given === 'string' ? given.toWellFormed() : 'unnamed'
}

/** The mail and SMS servers of GoAlert, for people who may ask for them; by their names in its settings. */
export function serverSettings(answers: readonly Fields[]): ReadonlyMap<string, string> {
  const settings = new Map<string, string>()
  for (const answer of answers)
    for (const setting of answer.items('config')) {
      const [id, value] = [setting.text('id'), setting.take('value')]
      setting.pass('description', 'type', 'password', 'deprecated')
      if (id !== undefined && typeof value === 'string' && value !== '')
        settings.set(id, value.toWellFormed())
    }
  return settings
}
