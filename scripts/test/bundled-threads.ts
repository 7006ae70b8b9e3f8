// scripts/test/bundled-threads.ts: threads that tests start run the bundles of `npm run build`, like those of an
// installed service. From sources, each would load some hundred files: the bulk thread takes 0.6 s of CPU time, and 0.15
// s from its bundle. Only `npm test` and related runs do so, because they have just made the bundles.
import { existsSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import threads, { type WorkerOptions } from 'node:worker_threads'
import { bundleFolder } from '../../packages/cli/bin/program.js'

class BundledThread extends threads.Worker {
  constructor(program: string | URL, options?: WorkerOptions) {
    super(bundleOf(program) ?? program, options)
  }
}

/** Null for a program that is in no bundle, such as one of a test. */
function bundleOf(program: string | URL): string | null {
  const path = program instanceof URL ? fileURLToPath(program) : program
  if (!path.endsWith('-thread.ts')) return null
  const bundle = join(bundleFolder, `${basename(path, '.ts')}.js`)
  return existsSync(bundle) ? bundle : null
}

// Test files that run one after the other in one process share this patch.
if (threads.Worker.name !== BundledThread.name) {
  threads.Worker = BundledThread
  syncBuiltinESMExports()
}
