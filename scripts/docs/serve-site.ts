// scripts/docs/serve-site.ts: serves a built site on loopback, for authors and for its tests.
import type { AddressInfo } from 'node:net'
import { preview } from 'vite'

export interface ServedSite extends AsyncDisposable {
  readonly url: string
}

/** Port 0 picks a free one. */
export async function serveSite(folder: string, port: number): Promise<ServedSite> {
  const server = await preview({
    configFile: false,
    logLevel: 'error',
    appType: 'mpa',
    root: folder,
    build: { outDir: '.' },
    preview: { host: '127.0.0.1', port, strictPort: true },
  })
  return {
    url: `http://127.0.0.1:${(server.httpServer.address() as AddressInfo).port}/`,
    [Symbol.asyncDispose]: () => server.close(),
  }
}
