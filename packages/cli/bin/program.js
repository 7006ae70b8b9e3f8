// bin/program.js: finds the entry of the program. A package has bundles only. In a checkout the sources run
// whenever they are newer than the bundles, so developers need no build.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isFresh } from './is-fresh.js'

const fromHere = (path) => fileURLToPath(new URL(path, import.meta.url))

export const bundleFolder = fromHere('../dist')
/** Written last, so that an interrupted build does not count. */
export const bundleStamp = fromHere('../dist/built.json')
export const sourceEntry = fromHere('../src/main.ts')
const isCheckout = existsSync(sourceEntry)

/** Everything that goes into the bundles. Includes tests: excluding them would cost more than a needless build. */
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

/** How to install the runtime, for an installation without it. */
export const installIt = isCheckout
  ? 'run `npm ci --ignore-scripts` in its folder'
  : 'install it again without --omit=optional'
