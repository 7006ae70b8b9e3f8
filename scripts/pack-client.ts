// scripts/pack-client.ts: makes the client library a package that works anywhere: JavaScript with declarations, since no
// runtime strips types inside node_modules. `node scripts/pack-client.ts FOLDER` writes the archive there and prints its path.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { runCommand } from './command-line/command.ts'

const root = join(import.meta.dirname, '..')
const source = join(root, 'packages/client')

export function packClient(folder: string): string {
  const staging = mkdtempSync(join(tmpdir(), 'pulseward-client-'))
  try {
    const tsc = join(root, 'node_modules/.bin/tsc')
    execFileSync(tsc, ['--project', join(source, 'tsconfig.build.json'), '--outDir', join(staging, 'dist')])
    writeFileSync(join(staging, 'package.json'), `${JSON.stringify(published(), null, 2)}\n`)
    const words = ['pack', '--silent', '--pack-destination', resolve(folder)]
    const name = execFileSync('npm', words, { cwd: staging, encoding: 'utf8' })
    return join(resolve(folder), name.trim().split('\n').at(-1)!)
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
}

function published(): object {
  const { name, version, description, license, type } = JSON.parse(
    readFileSync(join(source, 'package.json'), 'utf8'),
  )
  const exports = { '.': { types: './dist/index.d.ts', default: './dist/index.js' } }
  return { name, version, description, license, type, sideEffects: false, exports, files: ['dist'] }
}

if (import.meta.main) {
  const about = 'Writes the client library as a package into the folder (the present one unless given).'
  const words = { usage: '[FOLDER]', least: 0, most: 1 }
  await runCommand(
    { call: 'node scripts/pack-client.ts', about, flags: {}, words },
    (_values, [folder = '.']) => console.log(packClient(folder)),
  )
}
