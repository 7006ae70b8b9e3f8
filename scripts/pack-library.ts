// scripts/pack-library.ts: makes the client library, or the worker library, a package that works anywhere: JavaScript with
// declarations, since no runtime strips types inside node_modules. `node scripts/pack-library.ts FOLDER` writes the archive
// there and prints its path; with --worker the archives of the worker library and of the client that it needs.
import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { runCommand } from './command-line/command.ts'
import { toggle } from './command-line/flags.ts'

const root = join(import.meta.dirname, '..')

export function packClient(folder: string): string {
  return packLibrary('client', folder)
}

/** The worker library and what it needs, in the order in which npm may install them. */
export function packWorker(folder: string): readonly string[] {
  return [packLibrary('client', folder), packLibrary('worker', folder)]
}

function packLibrary(library: 'client' | 'worker', folder: string): string {
  const source = join(root, 'packages', library)
  const staging = mkdtempSync(join(tmpdir(), `pulseward-${library}-`))
  try {
    const tsc = join(root, 'node_modules/.bin/tsc')
    execFileSync(tsc, ['--project', join(source, 'tsconfig.build.json'), '--outDir', join(staging, 'dist')])
    writeFileSync(join(staging, 'package.json'), `${JSON.stringify(published(source), null, 2)}\n`)
    const readme = join(source, 'README.md')
    if (existsSync(readme)) copyFileSync(readme, join(staging, 'README.md'))
    const words = ['pack', '--silent', '--pack-destination', resolve(folder)]
    const name = execFileSync('npm', words, { cwd: staging, encoding: 'utf8' })
    return join(resolve(folder), name.trim().split('\n').at(-1)!)
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
}

function published(source: string): object {
  const { name, version, description, license, type, engines, dependencies } = JSON.parse(
    readFileSync(join(source, 'package.json'), 'utf8'),
  )
  const exports = { '.': { types: './dist/index.d.ts', default: './dist/index.js' } }
  const files = ['dist']
  return {
    name,
    version,
    description,
    license,
    type,
    sideEffects: false,
    exports,
    files,
    engines,
    dependencies,
  }
}

if (import.meta.main) {
  const about = 'Writes the client library as a package into the folder (the present one unless given).'
  const words = { usage: '[FOLDER]', least: 0, most: 1 }
  const flags = { worker: toggle('the worker library, and the client that it needs') }
  await runCommand(
    { call: 'node scripts/pack-library.ts', about, flags, words },
    ({ worker }, [folder = '.']) => {
      for (const archive of worker ? packWorker(folder) : [packClient(folder)]) console.log(archive)
    },
  )
}
