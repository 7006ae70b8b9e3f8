// api/assets.ts: the built dashboard: its page and the files that the page loads. Everything is read once, at
// startup, and looked up by exact path, so a request never becomes a file system path.
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import { tagOf } from './entity-tag.ts'
import { page } from './page.ts'

export interface Asset {
  readonly bytes: Buffer
  readonly tag: string
  readonly headers: Readonly<Record<string, string>>
}

/** The dashboard loads only its own files and calls only its own API; the page has no inline script or style. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

const mediaTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
}

/** Names in this folder contain a hash of the content, so clients never revalidate a cached copy. */
const hashedFolder = '/assets/'
const pagePath = '/index.html'

export class Assets {
  readonly page: Asset
  /** False if there is no dashboard; the page then only says so. */
  readonly isBuilt: boolean
  readonly #files: ReadonlyMap<string, Asset>

  private constructor(files: ReadonlyMap<string, Asset>, isBuilt: boolean) {
    this.#files = files
    this.isBuilt = isBuilt
    this.page = files.get(pagePath)!
  }

  /** Reads the dashboard built into this folder; serves a plain page if there is none. */
  static read(folder: string): Assets {
    const built = new Map(filesIn(folder).map(([path, bytes]) => [path, assetOf(path, bytes)]))
    return built.has(pagePath) ? new Assets(built, true) : Assets.plainPage()
  }

  static plainPage(): Assets {
    return new Assets(new Map([[pagePath, assetOf(pagePath, Buffer.from(page))]]), false)
  }

  find(path: string): Asset | null {
    return this.#files.get(path) ?? null
  }
}

function assetOf(path: string, bytes: Buffer): Asset {
  const extension = extname(path)
  const isPage = extension === '.html'
  return {
    bytes,
    tag: tagOf(bytes),
    headers: {
      'content-type': mediaTypes[extension] ?? 'application/octet-stream',
      'cache-control': path.startsWith(hashedFolder) ? 'public, max-age=31536000, immutable' : 'no-cache',
      ...(isPage ? { 'content-security-policy': pagePolicy } : {}),
    },
  }
}

function filesIn(folder: string): [path: string, bytes: Buffer][] {
  let entries: ReturnType<typeof entriesOf>
  try {
    entries = entriesOf(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
  // Links are not followed: they may lead outside the folder.
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const file = join(entry.parentPath, entry.name)
      return [`/${relative(folder, file).replaceAll(sep, '/')}`, readFileSync(file)]
    })
}

function entriesOf(folder: string) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
}
