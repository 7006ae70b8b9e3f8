// The exported story is text wherever Markdown is rendered: a renderer shows exactly what was said.
import fc from 'fast-check'
import MarkdownIt from 'markdown-it'
import { describe, expect, it } from 'vitest'
import type { StoryEvent } from './incident-story.ts'
import { storyOf } from './incident-story.ts'
import { storyAsMarkdown, storyFileName } from './story-markdown.ts'

const renderer = new MarkdownIt({ html: true, linkify: false })

function noted(note: string): StoryEvent {
  return {
    ...{ id: '2', monitor_id: 'edge', at: '2026-03-01T09:30:05.000Z', type: 'control_noted', revision: 1 },
    ...{ incident_id: 'inc-1', action_id: null, kind: null, color: null, endpoint: null, outcome: null },
    ...{ reason: null, actor: 'ben', note, because: null },
  }
}

const documentOf = (note: string, name = 'Edge') =>
  storyAsMarkdown(storyOf([noted(note)]), { monitorName: name, link: null })

/** The text of all quotations, as a reader sees it. */
function quotedIn(markdown: string): string {
  const tokens = renderer.parse(markdown, {})
  const texts: string[] = []
  let depth = 0
  for (const { type, children } of tokens) {
    if (type === 'blockquote_open') depth++
    else if (type === 'blockquote_close') depth--
    else if (depth > 0 && type === 'inline') {
      texts.push(' ')
      for (const child of children ?? []) {
        expect(['text', 'text_special', 'softbreak', 'hardbreak']).toContain(child.type)
        texts.push(child.type.endsWith('break') ? ' ' : child.content)
      }
    }
  }
  return texts.join('')
}

const plain = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

describe('a note in the exported story', () => {
  it.each([
    '# not a heading',
    '<img src=x onerror=alert(1)>',
    '**not bold** and `no code` and [no link](https://evil.test)',
    '- not a list\n1. nor this\n+ nor this',
    'a heading?\n===\n---',
    '```\nno block\n```',
    '| no | table |\n| --- | --- |',
    '    no code',
    '> no quotation',
    '&lt;b&gt; &amp; ~~not struck~~',
    '\\*escaped\\*',
  ])('is text: %j', (note) => {
    const markdown = documentOf(note)
    expect(plain(quotedIn(markdown))).toBe(plain(note))
    const html = renderer.render(markdown)
    expect(html.match(/<h1>/g)).toHaveLength(1)
    expect(html.match(/<h2>/g)).toHaveLength(6)
    expect(html).not.toMatch(/<(?:img|code|pre|strong|a) /)
  })

  it('is text, whatever it is', () => {
    const piece = fc.oneof(
      fc.string(),
      fc.constantFrom(
        ...'#*_`[]()<>!|\\~&-+=>.:1 \n\t'.split(''),
        '---',
        '```',
        '&amp;',
        '<b>',
        '\r\n',
        '  \n',
      ),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const note = pieces.join('')
        const printable = note.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, ' ')
        expect(plain(quotedIn(documentOf(note)))).toBe(plain(printable))
      }),
      { numRuns: 500 },
    )
  })

  it('has no characters that change the direction of writing', () => {
    expect(documentOf('pay \u202elap eht\u202c')).not.toMatch(/[\u202a-\u202e]/)
  })
})

it('keeps a name with markup in its heading and its table', () => {
  const html = renderer.render(documentOf('a', 'A | b\n# <b>c</b>'))
  expect(html).toContain('<h1>Incident: A | b # &lt;b&gt;c&lt;/b&gt;</h1>')
  // Its heading, the incident, its monitor, and that it is not closed.
  expect(html.match(/<tr>/g)).toHaveLength(4)
})

it.each([
  ['inc-01JQ8X4A', '2026-03-01T09:30:00.000Z', 'incident-2026-03-01-inc-01JQ8X4A.md'],
  ['../../etc/passwd', null, 'incident-..-..-etc-passwd.md'],
  [null, null, 'incident-unknown.md'],
])('a story of %s is saved as a file that every system takes', (incidentId, openedAt, name) => {
  expect(storyFileName({ ...storyOf([]), incidentId, openedAt })).toBe(name)
})
