// scripts/vendor-rdap-servers.ts: writes the list of RDAP servers of the check `domain` anew, from the bootstrap file that
// IANA publishes (RFC 9224) or from a copy of it. Run it before a release.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runCommand } from './command-line/command.ts'

const published = 'https://data.iana.org/rdap/dns.json'
const list = join(import.meta.dirname, '../packages/server/src/checks/domain/rdap-servers-data.ts')

/** Fewer than in any list so far by far: a file with less is broken. */
const fewestDomains = 500

interface Bootstrap {
  readonly publication: string
  /** Top-level domains, and the servers of each of them. */
  readonly services: readonly (readonly [readonly string[], readonly string[]])[]
}

async function bootstrap(file: string | undefined): Promise<Bootstrap> {
  const text = file === undefined ? await (await fetch(published)).text() : await readFile(file, 'utf8')
  return JSON.parse(text) as Bootstrap
}

/** Many registries put the top-level domain into the URL; such servers share a line. */
function form(server: string, topLevel: string): string {
  const url = server.endsWith('/') ? server : `${server}/`
  return url.replaceAll(new RegExp(`(?<=[/.])${topLevel}(?=/)`, 'g'), '{tld}')
}

/** The top-level domains of each server. */
function domainsByServer({ services }: Bootstrap): Map<string, string[]> {
  const domains = new Map<string, string[]>()
  for (const [topLevels, servers] of services) {
    const server = servers.find((url) => url.startsWith('https:')) ?? servers[0]
    // It goes into a template literal, line by line.
    if (server === undefined || /[\s`$\\]/.test(server)) continue
    for (const topLevel of topLevels.map((name) => name.toLowerCase())) {
      const key = form(server, topLevel)
      domains.set(key, [...(domains.get(key) ?? []), topLevel])
    }
  }
  return domains
}

function line(server: string, [first = '', ...others]: readonly string[]): string {
  if (others.length === 0) return `${server.replaceAll('{tld}', first)} ${first}`
  return `${server} ${[first, ...others].join(' ')}`
}

async function vendorServers([file]: readonly string[]): Promise<void> {
  const source = await bootstrap(file)
  const domains = domainsByServer(source)
  const count = [...domains.values()].flat().length
  if (count < fewestDomains) throw new Error(`The file has only ${count} top-level domains.`)
  const lines = [...domains].map(([server, names]) => line(server, names.sort())).sort()
  await writeFile(
    list,
    `// checks/domain/rdap-servers-data.ts: the RDAP server of each top-level domain, as IANA published them on
// ${source.publication.slice(0, 10)}. Made by \`npm run tool -- rdap-servers\`; do not edit.

/** A line for each server: its URL, in which {tld} stands for the domain, then its domains. */
export const rdapServers = \`
${lines.join('\n')}
\`
`,
  )
  process.stdout.write(`${count} top-level domains at ${domains.size} servers\n`)
}

await runCommand(
  {
    call: 'npm run tool -- rdap-servers',
    about: `Writes the list of RDAP servers anew, from ${published} or a copy of it.`,
    flags: {},
    words: { usage: '[FILE]', least: 0, most: 1 },
  },
  (_, words) => vendorServers(words),
)
