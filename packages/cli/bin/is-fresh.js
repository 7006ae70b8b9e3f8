// bin/is-fresh.js: whether a build is at least as new as its sources. Plain JavaScript, because the launcher
// calls it on any Node ≥ 20.
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/**
 * @param {string} built A file that the build writes last.
 * @param {readonly string[]} sources Files and folders; what is not there counts as unchanged.
 * @returns {boolean}
 */
export function isFresh(built, sources) {
  const builtMs = statSync(built, { throwIfNoEntry: false })?.mtimeMs
  return builtMs !== undefined && !sources.some((source) => isNewer(source, builtMs))
}

/** Folders count too: a deleted file leaves no other trace. */
function isNewer(path, builtMs) {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return false
  if (stats.mtimeMs > builtMs) return true
  return stats.isDirectory() && readdirSync(path).some((name) => isNewer(join(path, name), builtMs))
}
