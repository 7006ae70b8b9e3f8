// scripts/debian.ts: `npm run tool -- debian FOLDER` writes the Debian package of this checkout into the folder. Needs
// dpkg-deb, the npm registry and strip for the wanted architecture.
import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@pulseward/testing'
import { runCommand } from './command-line/command.ts'
import { oneOf, text } from './command-line/flags.ts'
import { buildDebianPackage } from './debian/build-package.ts'
import { packPackages } from './packages/pack-packages.ts'
import { readManifest } from './packages/published-manifest.ts'

const root = join(import.meta.dirname, '..')

const about = 'Writes the Debian package of this checkout, with a Node.js of its own, into the folder.'
const flags = {
  version: text('VERSION', null, 'of the package; that of package.json unless given'),
  arch: oneOf(['amd64', 'arm64'], 'amd64', 'the architecture that it is for'),
}
const words = { usage: 'FOLDER', least: 1, most: 1 }
await runCommand(
  { call: 'npm run tool -- debian', about, flags, words },
  async ({ version, arch }, [destination = '']) => {
    using work = temporaryFolder()
    const [packed] = await packPackages(work.path('packages'), ['cli'])
    const assembled = work.path('assembled')
    execFileSync(join(root, 'deploy/assemble.sh'), [packed!.archive, arch, assembled], { stdio: 'inherit' })
    const built = buildDebianPackage({
      assembled,
      version: version ?? readManifest(root).version,
      architecture: arch,
      destination,
    })
    process.stdout.write(`${built} ${(statSync(built).size / 1e6).toFixed(1)} MB\n`)
  },
)
