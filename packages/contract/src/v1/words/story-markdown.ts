// v1/words/story-markdown.ts: the story of an incident as a Markdown document, to begin a post-mortem with. Everything
// that other people or machines said is escaped: it is text wherever the document is shown. Times are UTC.
import { durationWords } from './duration-words.ts'
import { type IncidentStory, type StoryItem, type StorySectionName, storySections } from './incident-story.ts'

export interface StoryFrame {
  /** What people call the monitor; null if it is no longer there. */
  readonly monitorName: string | null
  /** Where the incident is shown; null if there is no page. */
  readonly link: string | null
  /** Why the story may be incomplete, as a sentence; null if it is whole. */
  readonly gap?: string | null
}

export function storyAsMarkdown(story: IncidentStory, frame: StoryFrame): string {
  const name = frame.monitorName ?? story.monitorId ?? 'a monitor'
  const parts = [
    `# Incident: ${line(name)}`,
    factTable(story, frame),
    ...(frame.gap == null ? [] : [`> ${line(frame.gap)}`]),
    ...(Object.keys(storySections) as StorySectionName[]).map((section) => sectionOf(story, section)),
    '## Lessons\n\n_What went well, what did not, and what changes because of it._',
  ]
  return `${parts.join('\n\n')}\n`
}

/** A file name that every system takes. */
export function storyFileName({ incidentId, openedAt }: IncidentStory): string {
  const day = openedAt === null ? '' : `${openedAt.slice(0, 10)}-`
  return `incident-${day}${(incidentId ?? 'unknown').replaceAll(/[^A-Za-z0-9._-]+/g, '-').slice(0, 80)}.md`
}

function factTable(story: IncidentStory, { monitorName, link }: StoryFrame): string {
  const { incidentId, monitorId, openedAt, closedAt, lastedMs, acknowledgedBy } = story
  const monitor = [monitorName, monitorId === null ? null : `(${monitorId})`].filter((text) => text !== null)
  const facts: readonly (readonly [string, string | null])[] = [
    ['Incident', incidentId],
    ['Monitor', monitor.length === 0 ? null : monitor.join(' ')],
    ['Opened', openedAt === null ? null : moment(openedAt)],
    ['Closed', closedAt === null ? 'not yet' : moment(closedAt)],
    ['Lasted', lastedMs === null ? null : durationWords(lastedMs)],
    ['Acknowledged by', acknowledgedBy],
    ['Page', link],
  ]
  const rows = facts.flatMap(([fact, value]) => (value === null ? [] : [`| ${fact} | ${line(value)} |`]))
  return ['| | |', '| --- | --- |', ...rows].join('\n')
}

function sectionOf({ sections }: IncidentStory, section: StorySectionName): string {
  const { title, nothing } = storySections[section]
  const items = sections[section]
  return `## ${title}\n\n${items.length === 0 ? nothing : items.map(itemOf).join('\n').trimEnd()}`
}

function itemOf({ text, why, quotes, steps }: StoryItem): string {
  const [first] = steps
  const because = why === null ? '' : ` (${line(withMoments(why))})`
  const isSingle = first !== undefined && steps.length === 1 && first.text === null
  const lines = isSingle
    ? [`- ${moment(first.at)} ${line(withMoments(text))}${because}`]
    : [
        `- ${line(withMoments(text))}${because}`,
        ...steps.map((step) => `  - ${moment(step.at)} ${line(withMoments(step.text ?? text))}`),
      ]
  return [...lines, ...quotes.map(quoted)].join('\n')
}

/** Each line of it is a line of a quotation, which ends with the item. */
function quoted(text: string): string {
  const lines = text
    .replaceAll(/\r\n?|[\u2028\u2029]/g, '\n')
    .trim()
    .split('\n')
    .map(line)
  const shown = lines.map((words, index) => {
    // A break within a paragraph: a renderer would join the lines otherwise.
    const isBroken = words !== '' && (lines[index + 1] ?? '') !== ''
    return `  > ${words}${isBroken ? '\\' : ''}`.trimEnd()
  })
  return ['', ...shown, ''].join('\n')
}

/** 2026-03-29 00:58:30 UTC */
function moment(at: string): string {
  return `${at.slice(0, 10)} ${at.slice(11, 19)} UTC`
}

/** Our own words, with the times in them as everywhere in the document. */
function withMoments(words: string): string {
  return words.replaceAll(/\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z/g, moment)
}

/** Characters that move a cursor or change the direction of writing; joiners within emoji and words stay. */
const unsafe = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu
/** Whatever begins or ends something within a line, in the dialects that people use and in HTML. */
const markup = /[\\`*_{}[\]<>#|~&$^]/g
/** What begins a list, or makes a heading of the line above. */
const beginning = /^(?:[-+=]|\d{1,9}[.)])/

/** Foreign text as one line that no renderer takes for markup. */
function line(text: string): string {
  const plain = text.replace(unsafe, ' ').trim().replace(markup, String.raw`\$&`)
  return plain.replace(beginning, (found) => `${found.slice(0, -1)}\\${found.slice(-1)}`)
}
