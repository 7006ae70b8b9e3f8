// scripts/docs/serve-site.ts: serves a built site on loopback, for those who write it and for its tests.
import { once } from 'node:events'
import { createReadStream, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize } from 'node:path'

export interface ServedSite extends AsyncDisposable {
  readonly url: string
}

const mediaTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
}

/** Port 0 takes a free one. */
export async function serveSite(folder: string, port: number): Promise<ServedSite> {
  const server = createServer(({ url = '/' }, response) => {
    const file = fileAt(folder, url)
    if (file === null)
      response.writeHead(404, { 'content-type': 'text/plain' }).end('There is no such page.\n')
    else {
      response.writeHead(200, { 'content-type': mediaTypes[extname(file)] ?? 'text/plain; charset=utf-8' })
      createReadStream(file).pipe(response)
    }
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Null where there is none; a path cannot lead out of the folder. */
function fileAt(folder: string, url: string): string | null {
  try {
    const path = normalize(decodeURIComponent(new URL(url, 'http://site').pathname))
    const file = join(folder, path.endsWith('/') ? join(path, 'index.html') : path)
    return statSync(file).isFile() ? file : null
  } catch {
    return null
  }
}
