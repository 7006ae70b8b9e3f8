// scripts/ensure-runtime.js: ensures that `node` inside npm scripts starts. The official Node.js 26 needs the
// library libatomic, which a minimal Linux does not have. There, an older release that does not need it takes
// its place; the lock file in fallback-runtime says which. Plain JavaScript, because it runs on any Node ≥
// 20.
import { spawnSync } from 'node:child_process'
import { existsSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

const linkIn = (root) => join(root, 'node_modules', '.bin', 'node')
const fallbackIn = (root) => join(root, 'scripts', 'fallback-runtime')

/** True after an install whose runtime did not start and whose fallback could not be installed. */
export function lacksRuntime(root) {
  return process.platform === 'linux' && existsSync(fallbackIn(root)) && !existsSync(linkIn(root))
}

/** `install` runs `npm ci` in a folder. */
export function ensureRuntime(root, install) {
  const link = linkIn(root)
  if (!lacksRuntime(root) && (process.platform !== 'linux' || !existsSync(link) || starts(link))) return
  // Must come first: a link to a program that does not start would stop even this script the next time.
  rmSync(link, { force: true })
  process.stderr.write('Installing an older Node.js: the bundled one does not start here…\n')
  install(fallbackIn(root))
  symlinkSync(join(fallbackIn(root), 'node_modules', '.bin', 'node'), link)
}

function starts(program) {
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0
}
