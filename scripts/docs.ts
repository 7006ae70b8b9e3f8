// scripts/docs.ts: `npm run docs` builds the documentation into docs/.site; with --serve it then serves it on loopback.
import { join } from 'node:path'
import { runCommand } from './command-line/command.ts'
import { toggle, wholeNumber } from './command-line/flags.ts'
import { buildSite } from './docs/build-site.ts'
import { serveSite } from './docs/serve-site.ts'

const root = join(import.meta.dirname, '..')
const folder = join(root, 'docs/.site')

await runCommand(
  {
    call: 'npm run docs --',
    about: 'Builds the documentation as a site into docs/.site.',
    flags: {
      serve: toggle('serve it on 127.0.0.1 until Ctrl+C'),
      port: wholeNumber(8061, 'the port to serve it on', 0),
    },
  },
  async ({ serve, port }) => {
    const { pageCount, brokenLinks } = await buildSite(root, folder)
    for (const sentence of brokenLinks) process.stderr.write(`${sentence}\n`)
    console.log(`${pageCount} pages are in docs/.site.`)
    if (brokenLinks.length > 0) process.exitCode = 1
    if (serve) console.log(`Open ${(await serveSite(folder, port)).url}`)
  },
)
