// scripts/packages/third-party-licenses.ts: the packages in the bundles of the service and in the dashboard,
// with the texts of their licenses, most of which require that. The builds list the packages.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { licensesOfPage } from '../build-dashboard.ts'

interface Used {
  readonly name: string
  readonly version: string
  readonly license: string
  /** Null if the package has no license file. */
  readonly text: string | null
}

const opening = `# Licenses of what is in this package

Pulseward itself is under the license in LICENSE. Its bundles and its dashboard contain the work of others:
`

export function thirdPartyLicenses(root: string): string {
  const bundled: { packages: string[] } = read(root, 'packages/cli/dist/built.json')
  const onPage: { name: string }[] = read(root, join('packages/dashboard/dist', licensesOfPage))
  const names = [...new Set([...bundled.packages, ...onPage.map(({ name }) => name)])].sort()
  return [opening, ...names.map((name) => sectionOf(usedPackage(root, name)))].join('\n')
}

function read<Content>(root: string, path: string): Content {
  return JSON.parse(readFileSync(join(root, path), 'utf8'))
}

function usedPackage(root: string, name: string): Used {
  const folder = join(root, 'node_modules', name)
  const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  if (typeof license !== 'string') throw new Error(`${name} does not say under which license it is.`)
  const file = readdirSync(folder).find((entry) => /^(licen[cs]e|copying)/i.test(entry))
  return {
    name,
    version,
    license,
    text: file === undefined ? null : readFileSync(join(folder, file), 'utf8').trim(),
  }
}

/** Indented, because a text may contain fences or headings. */
function sectionOf({ name, version, license, text }: Used): string {
  const indented = (text ?? 'It comes without the text of its license.').replaceAll(/^(?=.)/gm, '    ')
  return `## ${name} ${version} (${license})\n\n${indented}\n`
}
