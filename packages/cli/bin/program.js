// bin/program.js: where the program itself is. In a package there are bundles only. In a checkout there are sources, and
// they run whenever they are newer than the bundles: whoever develops needs no build.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isFresh } from './is-fresh.js'

const fromHere = (path) => fileURLToPath(new URL(path, import.meta.url))

export const bundleFolder = fromHere('../dist')
/** Written last, so that a build that was interrupted counts as none. */
export const bundleStamp = fromHere('../dist/built.json')
export const sourceEntry = fromHere('../src/main.ts')
const isCheckout = existsSync(sourceEntry)

/** Everything that is in the bundles. Tests are among it: to leave them out would cost more than a needless build. */
export const bundledSources = [
  ...['cli', 'client', 'contract', 'server'].flatMap((name) => [
    fromHere(`../../${name}/src`),
    fromHere(`../../${name}/package.json`),
  ]),
  fromHere('../../../package-lock.json'),
  fromHere('../../../scripts/build-service.ts'),
]

/** @returns {URL} */
export function programEntry() {
  const isBundled = !isCheckout || isFresh(bundleStamp, bundledSources)
  return new URL(isBundled ? '../dist/main.js' : '../src/main.ts', import.meta.url)
}

/** For somebody whose installation has no runtime. */
export const installIt = isCheckout
  ? 'run `npm ci --ignore-scripts` in its folder'
  : 'install it again without --omit=optional'
