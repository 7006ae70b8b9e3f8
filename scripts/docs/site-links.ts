// scripts/docs/site-links.ts: where the links of documents lead on the site. Documents become pages; other
// linked files of the repository are copied; a folder becomes a page that lists it. No link of the site leads
// to a missing file: each broken one is reported as a sentence.
import { existsSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'
import { firstPage, repositoryReadme } from './site-pages.ts'

interface Reference {
  readonly document: string
  readonly target: string
  readonly page: string
  readonly anchor: string
}

export class SiteLinks {
  /** Files of the repository that the site must contain, with their place on it. */
  readonly copies = new Map<string, string>()
  readonly #root: string
  readonly #pages: ReadonlyMap<string, string>
  readonly #references: Reference[] = []
  readonly #missing: string[] = []

  constructor(root: string, pages: ReadonlyMap<string, string>) {
    this.#root = root
    this.#pages = pages
  }

  /** The target of a link as its page has to write it. */
  resolve(document: string, target: string): string {
    if (/^[a-z][a-z0-9+.-]*:/i.test(target)) return target
    const [path = '', anchor = ''] = decodeURI(target).split('#')
    const file = path === '' ? document : posix.join(posix.dirname(document), path).replace(/\/$/, '')
    const place = this.#placeOf(file)
    if (place === null) {
      this.#missing.push(`${document} links to ${target}, which does not exist.`)
      return '#'
    }
    this.#references.push({ document, target, page: place, anchor })
    const from = posix.dirname(this.#pages.get(document) ?? firstPage)
    const hash = anchor === '' ? '' : `#${encodeURI(anchor)}`
    return path === '' ? hash : `${posix.relative(from, place)}${hash}`
  }

  /** Sentences about broken links, after every page is rendered. */
  broken(anchors: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] {
    const lost = this.#references.filter(
      ({ page, anchor }) => anchor !== '' && anchors.get(page)?.has(anchor) === false,
    )
    return [
      ...this.#missing,
      ...lost.map(({ document, target }) => `${document} links to ${target}, but there is no such heading.`),
    ]
  }

  #placeOf(file: string): string | null {
    if (file === repositoryReadme) return firstPage
    const page =
      this.#pages.get(file) ?? this.#pages.get(`${file}/index.md`) ?? this.#pages.get(`${file}/README.md`)
    if (page !== undefined) return page
    const full = join(this.#root, file)
    if (!existsSync(full) || !statSync(full).isFile()) return null
    const place = `files/${file}`
    this.copies.set(file, place)
    return place
  }
}
