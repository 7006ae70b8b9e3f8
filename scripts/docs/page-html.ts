// scripts/docs/page-html.ts: the frame around the text of a page: bar, navigation, outline, and links to the next pages.
// All links are relative, so the site works below any path. The policy of each page restricts it to its own host.
import { posix } from 'node:path'
import type { Heading } from './render-markdown.ts'

export interface Entry {
  readonly title: string
  readonly page: string
}

export interface Frame {
  readonly page: string
  readonly title: string
  readonly html: string
  readonly headings: readonly Heading[]
  readonly sections: readonly { readonly title: string; readonly entries: readonly Entry[] }[]
}

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'"

export function pageHtml({ page, title, html, headings, sections }: Frame): string {
  const to = (target: string) => posix.relative(posix.dirname(page), target)
  const base = posix.relative(posix.dirname(page), '.') || '.'
  const name = title === 'Pulseward' ? title : `${title} · Pulseward`
  return `<!doctype html>
<html lang="en" data-base="${base}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${escapeText(name)}</title>
<link rel="icon" href="${to('assets/favicon.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${to('assets/site.css')}">
<script src="${to('assets/theme.js')}"></script>
<script src="${to('assets/page.js')}" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
<header class="bar">
<a class="name" href="${to('index.html')}"><img src="${to('assets/favicon.svg')}" alt="" width="20" height="20">Pulseward</a>
<search class="search">
<input type="search" id="search" placeholder="Search, or paste a message" aria-label="Search the documentation" autocomplete="off" spellcheck="false" disabled>
<div id="results" class="results" hidden></div>
<p id="result-count" class="visually-hidden" role="status"></p>
</search>
<select id="appearance" aria-label="Appearance" disabled><option value="system">System</option><option value="light">Light</option><option value="dark">Dark</option></select>
</header>
<div class="columns">
<nav class="sections" aria-label="Pages"><details id="menu" open><summary>Menu</summary>
${sections.map((section) => sectionHtml(section, page, to)).join('\n')}
</details></nav>
<main id="content" tabindex="-1">
${html}
${wayOn(sections, page, to)}
</main>
${onThisPage(headings)}
</div>
</body>
</html>
`
}

function sectionHtml(section: Frame['sections'][number], page: string, to: (page: string) => string): string {
  const links = section.entries.map((entry) => {
    const current = entry.page === page ? ' aria-current="page"' : ''
    return `<li><a href="${to(entry.page)}"${current}>${escapeText(entry.title)}</a></li>`
  })
  return `<h2>${escapeText(section.title)}</h2><ul>${links.join('')}</ul>`
}

function onThisPage(headings: readonly Heading[]): string {
  const shown = headings.filter(({ level }) => level === 2)
  if (shown.length < 2) return ''
  const links = shown.map(({ anchor, text }) => `<li><a href="#${anchor}">${escapeText(text)}</a></li>`)
  return `<nav class="outline" aria-label="On this page"><h2>On this page</h2><ul>${links.join('')}</ul></nav>`
}

function wayOn(sections: Frame['sections'], page: string, to: (page: string) => string): string {
  const entries = sections.flatMap((section) => section.entries)
  const index = entries.findIndex((entry) => entry.page === page)
  if (index === -1) return ''
  const link = (entry: Entry | undefined, rel: 'prev' | 'next', words: string) =>
    entry === undefined
      ? ''
      : `<a rel="${rel}" href="${to(entry.page)}">${words}: ${escapeText(entry.title)}</a>`
  return `<nav class="way" aria-label="Before and after">${link(entries[index - 1], 'prev', 'Before')}${link(entries[index + 1], 'next', 'Next')}</nav>`
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
