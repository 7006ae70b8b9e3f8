// scripts/docs/browser/page.ts: what a page of the documentation does in the browser: search, appearance,
// copying code. The text is readable without it.
import MiniSearch from 'minisearch'
import { type Found, find, type SearchEntry, searchOptions } from '../search.ts'

/** The dashboard keeps the same choice under the same key. */
const appearanceKey = 'pulseward.appearance'
const mostResults = 12
/** A browser does not load the index for pages that are opened as files. */
const notLoaded =
  'The search could not be loaded. It needs the site to be served, as npm run docs -- --serve does.'
/** From this width on the menu is beside the text. */
const wide = matchMedia('(min-width: 900px)')

const base = document.documentElement.dataset['base'] ?? '.'

function element<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const found = document.getElementById(id)
  if (found instanceof kind) return found
  throw new Error(`the page has no ${id}`)
}

function followAppearance(): void {
  const select = element('appearance', HTMLSelectElement)
  select.value = document.documentElement.dataset['theme'] ?? 'system'
  select.disabled = false
  select.addEventListener('change', () => {
    if (select.value === 'system') delete document.documentElement.dataset['theme']
    else document.documentElement.dataset['theme'] = select.value
    try {
      if (select.value === 'system') localStorage.removeItem(appearanceKey)
      else localStorage.setItem(appearanceKey, select.value)
    } catch {
      // Storage is forbidden: the choice applies to this page only.
    }
  })
}

function followWidth(): void {
  const menu = element('menu', HTMLDetailsElement)
  const follow = () => {
    menu.open = wide.matches
  }
  wide.addEventListener('change', follow)
  follow()
}

function offerCopies(): void {
  for (const block of document.querySelectorAll('.code')) {
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = 'Copy'
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(block.querySelector('code')?.textContent ?? '')
      button.textContent = 'Copied'
      setTimeout(() => {
        button.textContent = 'Copy'
      }, 2_000)
    })
    block.append(button)
  }
}

class Search {
  readonly #input = element('search', HTMLInputElement)
  readonly #results = element('results', HTMLDivElement)
  readonly #count = element('result-count', HTMLParagraphElement)
  /** Loaded at the first search. */
  #index: Promise<MiniSearch<SearchEntry>> | null = null

  start(): void {
    this.#input.disabled = false
    this.#input.addEventListener('focus', () => this.#load())
    this.#input.addEventListener('input', () => this.#show())
    this.#input.parentElement?.addEventListener('keydown', (event) => this.#move(event))
    document.addEventListener('keydown', (event) => {
      if (event.key !== '/' || event.target instanceof HTMLInputElement) return
      event.preventDefault()
      this.#input.focus()
    })
    document.addEventListener('click', ({ target }) => {
      if (target instanceof Node && !this.#input.parentElement?.contains(target)) this.#results.hidden = true
    })
  }

  #load(): Promise<MiniSearch<SearchEntry>> {
    this.#index ??= fetch(`${base}/search-index.json`)
      .then((answer) => {
        if (!answer.ok) throw new Error(`the index answers with status ${answer.status}`)
        return answer.text()
      })
      .then((text) => MiniSearch.loadJSON<SearchEntry>(text, searchOptions))
    // The next keystroke tries again.
    this.#index.catch(() => {
      this.#index = null
    })
    return this.#index
  }

  async #show(): Promise<void> {
    const asked = this.#input.value
    const index = await this.#load().catch(() => null)
    if (asked !== this.#input.value) return
    const found = index === null ? [] : find(index, asked).slice(0, mostResults)
    this.#results.hidden = asked.trim() === ''
    this.#results.replaceChildren(...found.map(resultLink))
    if (index === null) this.#results.append(sentence(notLoaded))
    else if (found.length === 0) this.#results.append(sentence('Nothing was found. Try fewer words.'))
    this.#count.textContent = asked.trim() === '' ? '' : `${found.length} results`
  }

  #move(event: KeyboardEvent): void {
    const links = [...this.#results.querySelectorAll('a')]
    if (event.key === 'Escape') {
      this.#results.hidden = true
      this.#input.focus()
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const now = links.indexOf(document.activeElement as HTMLAnchorElement)
      const next = now + (event.key === 'ArrowDown' ? 1 : -1)
      event.preventDefault()
      if (next < 0) this.#input.focus()
      else links[next]?.focus()
    } else if (event.key === 'Enter' && document.activeElement === this.#input) links[0]?.click()
  }
}

function sentence(text: string): HTMLElement {
  const line = document.createElement('p')
  line.textContent = text
  return line
}

function resultLink({ path, page, heading, excerpt }: Found): HTMLElement {
  const link = document.createElement('a')
  link.href = `${base}/${path}`
  for (const [name, text] of Object.entries({ heading, page, excerpt })) {
    const line = document.createElement('span')
    line.className = name
    line.textContent = text
    link.append(line)
  }
  return link
}

followAppearance()
followWidth()
offerCopies()
new Search().start()
