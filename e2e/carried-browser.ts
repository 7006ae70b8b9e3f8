// e2e/carried-browser.ts: unpacks the Chromium of the dependencies, with its libraries and fonts, once per
// checkout. It then needs only Linux on x64 and the C library of the machine.
import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inflate } from '@sparticuz/chromium'
import manifest from '../package.json' with { type: 'json' }

export interface BrowserProgram {
  readonly path: string
  readonly environment: Readonly<Record<string, string>>
}

const version = manifest.devDependencies['@sparticuz/chromium']
const cache = join(import.meta.dirname, '../node_modules/.cache/browser')

export const carriedBrowserRunsHere = process.platform === 'linux' && process.arch === 'x64'

export async function carriedBrowser(): Promise<BrowserProgram> {
  const folder = join(cache, version)
  if (!existsSync(folder)) await unpackTo(folder)
  return {
    path: join(folder, 'chromium'),
    environment: { LD_LIBRARY_PATH: join(folder, 'al2023/lib'), FONTCONFIG_PATH: join(folder, 'fonts') },
  }
}

/** The folder appears completely or not at all; if several processes unpack at once, the first one provides it. */
async function unpackTo(folder: string): Promise<void> {
  mkdirSync(cache, { recursive: true })
  const staging = mkdtempSync(join(cache, 'unpacking-'))
  try {
    await inflateInto(staging)
    chmodSync(join(staging, 'chromium'), 0o755)
    chmodSync(staging, 0o755)
    writeFileSync(join(staging, 'fonts/fonts.conf'), fontSettings(folder))
    renameSync(staging, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
}

/** The package unpacks into the current folder for temporary files. */
async function inflateInto(folder: string): Promise<void> {
  const archives = join(dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium'))), '../bin')
  const usual = process.env['TMPDIR']
  process.env['TMPDIR'] = folder
  try {
    const names = ['chromium.br', 'al2023.tar.br', 'fonts.tar.br', 'swiftshader.tar.br']
    await Promise.all(names.map((name) => inflate(join(archives, name))))
  } finally {
    if (usual === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = usual
  }
}

function fontSettings(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${folder}/fonts</dir>
  <cachedir>${folder}/fonts-cache</cachedir>
</fontconfig>
`
}
