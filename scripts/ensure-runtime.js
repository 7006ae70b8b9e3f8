// scripts/ensure-runtime.js: sees to it that `node` inside npm scripts starts. The official Node.js 26 needs the library
// libatomic, which a minimal Linux does not have. There, an older release that needs less takes its place; the lock file
// in fallback-runtime says which. Plain JavaScript, because it runs on any Node ≥ 20.
import { spawnSync } from 'node:child_process'
import { lstatSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

/** `install` runs `npm ci` in a folder. */
export function ensureRuntime(root, install) {
  const link = join(root, 'node_modules', '.bin', 'node')
  if (process.platform !== 'linux' || !lstatSync(link, { throwIfNoEntry: false }) || starts(link)) return
  process.stderr.write('Installing an older Node.js: the bundled one does not start here…\n')
  const folder = join(root, 'scripts', 'fallback-runtime')
  install(folder)
  rmSync(link)
  symlinkSync(join(folder, 'node_modules', '.bin', 'node'), link)
}

function starts(program) {
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0
}
