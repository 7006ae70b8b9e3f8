// scripts/build-service.ts: bundles the command and the threads of the service if their sources are newer
// than the last build. A few large files instead of a thousand small ones: the service starts in half the
// time and needs a fifth less memory. Nothing is minified, so stack traces show the names of the sources; a
// comment in the bundle says which file each part comes from. Source maps would cost a running service 35 MB.
import { rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type Plugin, rolldown } from 'rolldown'
import { isFresh } from '../packages/cli/bin/is-fresh.js'
import { bundledSources, bundleFolder, bundleStamp, sourceEntry } from '../packages/cli/bin/program.js'
import serverPackage from '../packages/server/package.json' with { type: 'json' }

/** Every thread is started with the URL of a file beside the one that starts it. */
const threadPattern = /new URL\('([a-z-]+-thread)\.ts', import\.meta\.url\)/g

/** Makes a bundle of each thread that a module starts. All bundles are in one folder, so they find each other by name. */
const bundleThreads: Plugin = {
  name: 'bundle-threads',
  transform(code, id) {
    const changed = code.replace(threadPattern, (_, name: string) => {
      this.emitFile({ type: 'chunk', id: join(dirname(id), `${name}.ts`), fileName: `${name}.js` })
      return `new URL('${name}.js', import.meta.url)`
    })
    return changed === code ? null : { code: changed, map: null }
  },
}

/**
 * Importing names of a built-in module evaluates all its exports: node:http then loads a second HTTP client,
 * node:crypto a second crypto API, in every thread. Imported as an object, it loads only what is used.
 */
const builtinPattern = /^import (?:(\w+)|\* as (\w+)|(\{[^}]*\})) from "(node:[\w/]+)";$/gm

const takeBuiltins: Plugin = {
  name: 'take-builtins',
  renderChunk(code) {
    return code.replace(builtinPattern, (_, whole, all, some, name) => {
      const taken = whole ?? all ?? some.replaceAll(' as ', ': ')
      return `const ${taken} = process.getBuiltinModule("${name}");`
    })
  },
}

/** In a copy of a checkout the dependencies are links, and comments would name the folder behind them. */
const linkedModulePattern = /^\/\/ (?:\.\.\/)+.*\/(?=node_modules\/)/gm

const nameModulesAlike: Plugin = {
  name: 'name-modules-alike',
  renderChunk: (code) => code.replace(linkedModulePattern, '// '),
}

export async function buildService(): Promise<void> {
  if (isFresh(bundleStamp, bundledSources)) return
  process.stderr.write('Bundling the service…\n')
  const startedMs = Date.now()
  rmSync(bundleFolder, { recursive: true, force: true })
  const bundle = await rolldown({
    input: { main: sourceEntry },
    platform: 'node',
    // An installation may leave them out, so they are resolved when a driver needs them.
    external: new RegExp(
      `^(${['koffi', ...Object.keys(serverPackage.optionalDependencies)].join('|')})(/|$)`,
    ),
    plugins: [bundleThreads, takeBuiltins, nameModulesAlike],
  })
  const { output } = await bundle.write({ dir: bundleFolder, format: 'esm' })
  await bundle.close()
  const files = output.map(({ fileName }) => basename(fileName))
  const packages = packagesIn(output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : [])))
  const stamp = { files, packages, tookMs: Date.now() - startedMs }
  writeFileSync(bundleStamp, `${JSON.stringify(stamp, null, 2)}\n`)
}

/** The names of the packages that these modules come from, without our own, for the license notices. */
function packagesIn(moduleIds: readonly string[]): string[] {
  const names = moduleIds.flatMap(
    (id) => /.*[/\\]node_modules[/\\]((?:@[^/\\]+[/\\])?[^/\\]+)/.exec(id)?.[1] ?? [],
  )
  return [...new Set(names.map((name) => name.replace('\\', '/')))].sort()
}
