// config/fleet-file/status-page-rules.ts: what a schema cannot say about status pages: components that have monitors,
// selectors that select some, names that are alone, and addresses that lead somewhere.
import { isIP } from 'node:net'
import type { Mistake } from '../shape/explain.ts'
import type { Path } from '../shape/shape.ts'
import { show } from '../shape/words.ts'
import { isTimezone } from './cron-words.ts'
import { missingName } from './reference-words.ts'
import type { FleetHead } from './schema.ts'
import { componentNamed } from './status-page-definition.ts'
import { logoProblem } from './status-page-logo.ts'
import type { BadgeDocument, ComponentDocument, StatusPageDocument } from './status-page-schema.ts'
import { hasTexts, wordMistakes } from './status-page-words.ts'

/** Of one page, which fits its schema except for what was refused. */
export function statusPageMistakes(page: StatusPageDocument): Mistake[] {
  const { host, timezone, links, groups } = page
  const mistakes: Mistake[] = [...accessMistakes(page), ...languageMistakes(page), ...logoMistakes(page)]
  if (host !== undefined && isIP(host) !== 0)
    mistakes.push(
      mistake(['host'], `${show(host)} is an address; write a host name such as status.shop.example.`),
    )
  if (timezone !== undefined && !isTimezone(timezone))
    mistakes.push(
      mistake(['timezone'], `${show(timezone)} is not a time zone; write one such as Europe/Berlin.`),
    )
  for (const [index, link] of links?.entries() ?? [])
    if (link?.url !== undefined && !URL.canParse(link.url))
      mistakes.push(mistake(['links', index, 'url'], `${show(link.url)} is not an address.`))
  const names = new Map<string, string>()
  for (const [index, group] of groups?.entries() ?? []) {
    for (const [number, component] of group?.components?.entries() ?? []) {
      const path: Path = ['groups', index, 'components', number]
      mistakes.push(...componentMistakes(component, path, names))
    }
  }
  return mistakes
}

function accessMistakes({ access, token_digests: digests }: StatusPageDocument): Mistake[] {
  if (access === 'token' && digests === undefined)
    return [
      mistake(
        ['access'],
        'is token, but no token opens the page; write the digest of one, as `pulseward status token` prints it.',
      ),
    ]
  if (access !== 'token' && digests !== undefined)
    return [
      mistake(['token_digests'], 'has no effect on a page that everybody may read; write access: token.'),
    ]
  return []
}

/** What was refused is there without a value. */
function languageMistakes(page: StatusPageDocument): Mistake[] {
  const { language = 'en', words } = page
  if (words === undefined) {
    if ('words' in page || hasTexts(language)) return []
    return [
      mistake(
        ['language'],
        `${show(language)} has no words here; write en or de, or give words: translate what \`pulseward status words\` prints.`,
      ),
    ]
  }
  if (Intl.DateTimeFormat.supportedLocalesOf([language]).length === 0)
    return [
      mistake(['language'], `${show(language)} is not a language whose dates and numbers are known here.`),
    ]
  return wordMistakes(words, language).map(({ key, message }) =>
    mistake(key === null ? ['words'] : ['words', key], message),
  )
}

function logoMistakes({ logo }: StatusPageDocument): Mistake[] {
  if (logo === undefined) return []
  const { file, type, data } = logo
  if (file !== undefined) return [mistake(['logo'], 'names a file as well as data; give one of them.')]
  if (type === undefined || data === undefined)
    return [mistake(['logo'], 'needs a file: { file: logo.svg }, or type and data.')]
  const bytes = Buffer.from(data, 'base64')
  const problem = bytes.toString('base64') === data ? logoProblem(type, bytes) : 'is not base64.'
  return problem === null ? [] : [mistake(['logo'], problem)]
}

function componentMistakes(component: ComponentDocument, path: Path, names: Map<string, string>): Mistake[] {
  const { id, match } = component ?? {}
  const mistakes: Mistake[] = []
  const other = names.get(id ?? '')
  if (other !== undefined)
    mistakes.push(
      mistake([...path, 'id'], `${show(id)} is the id of ${other} already; give this component another one.`),
    )
  else if (id !== undefined) names.set(id, formatted(path))
  // What was refused is there without a value.
  if (component !== undefined && !('monitors' in component) && !('match' in component))
    mistakes.push(mistake(path, 'has no monitors; name some, or select them by match.'))
  if (match !== undefined && Object.keys(match).length === 0)
    mistakes.push(
      mistake(
        [...path, 'match'],
        'selects every monitor; name at least one label, such as { service: search }.',
      ),
    )
  return mistakes
}

/** Of one badge, which fits its schema except for what was refused. */
export function badgeMistakes(badge: BadgeDocument): Mistake[] {
  const named = ['component', 'monitor'].filter((key) => Object.hasOwn(badge, key))
  if (named.length === 1) return []
  return [
    mistake(
      [],
      `names ${named.length === 0 ? 'neither' : 'both'} a component ${named.length === 0 ? 'nor' : 'and'} a monitor; name one of them.`,
    ),
  ]
}

/** What the rules need to know of the monitors in the files. */
export interface KnownMonitors {
  /** Some of their ids, of which the nearest is suggested. */
  readonly ids: readonly string[]
  has(id: string): boolean
  someMatches(match: Readonly<Record<string, string>>): boolean
}

/** `monitors`: null if not all are known; then pages may be about any. */
export function checkStatusPages(
  { status_pages: pages }: FleetHead,
  monitors: KnownMonitors | null,
  say: (entry: string, path: Path, message: string) => void,
): void {
  const hosts = new Map<string, string>()
  for (const [name, page] of Object.entries(pages ?? {})) {
    const entry = `status_pages.${name}`
    const { host } = page ?? {}
    const other = hosts.get(host ?? '')
    if (host !== undefined && other === undefined) hosts.set(host, name)
    else if (other !== undefined)
      say(
        entry,
        ['host'],
        `${show(host)} is the host of the status page ${show(other)}; a host shows one page.`,
      )
    if (monitors === null) continue
    for (const [index, group] of page?.groups?.entries() ?? [])
      for (const [number, component] of group?.components?.entries() ?? [])
        for (const [path, message] of monitorMistakes(component, monitors))
          say(entry, ['groups', index, 'components', number, ...path], message)
  }
}

export function checkBadges(
  { badges, status_pages: pages = {} }: FleetHead,
  monitors: KnownMonitors | null,
  say: (entry: string, path: Path, message: string) => void,
): void {
  for (const [key, badge] of Object.entries(badges ?? {})) {
    const { component, monitor } = badge ?? {}
    if (component !== undefined && componentNamed(component, pages) === undefined)
      say(
        `badges.${key}`,
        ['component'],
        `there is no component ${show(component)}; write PAGE/COMPONENT as they are under status_pages.`,
      )
    if (monitor !== undefined && monitors?.has(monitor) === false)
      say(`badges.${key}`, ['monitor'], missingName('monitor', monitor, monitors.ids))
  }
}

function* monitorMistakes(
  component: ComponentDocument | undefined,
  { ids, has, someMatches }: KnownMonitors,
): Generator<[Path, string]> {
  for (const [index, id] of component?.monitors?.entries() ?? [])
    if (id !== undefined && !has(id)) yield [['monitors', index], missingName('monitor', id, ids)]
  const { match } = component ?? {}
  if (match !== undefined && Object.keys(match).length > 0 && !someMatches(match))
    yield [['match'], 'selects no monitor; write labels that some monitor has.']
}

function formatted(path: Path): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`
    return text === '' ? part : `${text}.${part}`
  }, '')
}

function mistake(path: Path, message: string): Mistake {
  return { path, message }
}
