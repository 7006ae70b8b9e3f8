// config/fleet-file/optional-packages.ts: checks whether the packages that a driver needs are installed,
// without loading them. Most fleets need none, and an installation may leave them out.
import { createRequire } from 'node:module'
import packageJson from '../../../package.json' with { type: 'json' }

const { resolve } = createRequire(import.meta.url)
const versions: Readonly<Record<string, string>> = packageJson.optionalDependencies

/** What to do before the driver can be used; null if no package is missing. */
export function missingPackage(driver: string, requires: readonly string[]): string | null {
  const missing = requires.filter((name) => !isInstalled(name))
  if (missing.length === 0) return null
  const names = missing.map((name) => JSON.stringify(name)).join(' and ')
  const words = missing.length === 1 ? `package ${names}, which is` : `packages ${names}, which are`
  return `${driver} needs the ${words} not installed: npm install ${missing.map(pinned).join(' ')}`
}

function isInstalled(name: string): boolean {
  try {
    resolve(name)
    return true
  } catch (error) {
    // The package is installed, but has no entry point for require.
    return (error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND'
  }
}

/** The version that the driver is tested with. */
function pinned(name: string): string {
  const version = versions[name]
  return version === undefined ? name : `${name}@${version}`
}
