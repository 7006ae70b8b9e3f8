// scripts/prepare.js: makes a checkout ready for `npm start`: installs the dependencies, then builds the dashboard and
// bundles the service on the Node.js that came with them. One script, because a shell remembers where it found `node`: a second command in the same
// line would still run on the host's. Plain JavaScript, because it starts on any Node ≥ 20.
import { spawnSync } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import './ensure-installed.js'

if (!process.exitCode) {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const { status } = spawnSync('node', [join('scripts', 'build.ts')], {
    cwd: root,
    env: { ...process.env, PATH: [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter) },
    stdio: 'inherit',
    // Only a shell finds node.cmd on Windows.
    shell: process.platform === 'win32',
  })
  process.exitCode = status ?? 1
}
