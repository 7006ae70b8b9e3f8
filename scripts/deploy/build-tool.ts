// scripts/deploy/build-tool.ts: the third-party programs that validate the chart, built from Go's module proxy at exact
// versions and kept in node_modules/.cache. Go verifies its downloads with its public checksum database.
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

interface GoTool {
  readonly name: string
  readonly package: string
  readonly version: string
}

export const helm: GoTool = { name: 'helm', package: 'helm.sh/helm/v3/cmd/helm', version: 'v3.22.0' }
export const kubeconform: GoTool = {
  name: 'kubeconform',
  package: 'github.com/yannh/kubeconform/cmd/kubeconform',
  version: 'v0.8.0',
}

const cache = join(import.meta.dirname, '../../node_modules/.cache/pulseward-tools')
const proxyWaitMs = 10 * 60_000
const lookAgainMs = 200

export type Tools = { readonly paths: readonly string[] } | { readonly missing: string }

/**
 * Waits for the tools that `npm run test:packages` builds in parallel to the tests; null if that command is not running.
 */
export async function toolsBeingBuilt(): Promise<Tools | null> {
  const file = process.env['PULSEWARD_CHART_TOOLS']
  if (file === undefined) return null
  // The builder gives up earlier; this is for one that was killed.
  const end = performance.now() + 4 * proxyWaitMs
  while (!existsSync(file)) {
    if (performance.now() > end)
      return { missing: 'the process that builds Helm and kubeconform never ended' }
    await setTimeout(lookAgainMs)
  }
  return JSON.parse(readFileSync(file, 'utf8'))
}

/**
 * Returns their paths in the same order, after building missing ones, which takes minutes; or why they are not available.
 */
export async function buildTools(...tools: readonly GoTool[]): Promise<Tools> {
  // In parallel: one downloads while the other is compiled.
  const built = await Promise.all(tools.map(toolOrReason))
  const reasons = built.flatMap((one) => ('missing' in one ? [one.missing] : []))
  if (reasons.length > 0) return { missing: reasons.join('; ') }
  return { paths: built.flatMap((one) => ('path' in one ? [one.path] : [])) }
}

async function toolOrReason(tool: GoTool): Promise<{ path: string } | { missing: string }> {
  try {
    return { path: await builtTool(tool) }
  } catch (error) {
    const { code, stderr = '', message } = error as Error & { code?: unknown; stderr?: string }
    const why = code === 'ENOENT' ? 'Go is not installed' : (stderr.trim() || message).split('\n').at(-1)
    return { missing: `${tool.name} ${tool.version} cannot be built here: ${why}` }
  }
}

/** Go's archive is unpacked to a folder that is not on the default PATH. */
function goPath(): string {
  return [process.env['PATH'] ?? '', '/usr/local/go/bin'].join(delimiter)
}

async function builtTool({ name, version, package: source }: GoTool): Promise<string> {
  const path = join(cache, `${name}-${version}${process.platform === 'win32' ? '.exe' : ''}`)
  if (existsSync(path)) return path
  mkdirSync(cache, { recursive: true })
  const scratch = mkdtempSync(join(tmpdir(), 'pulseward-tool-'))
  const go = (...words: string[]) =>
    run('go', words, {
      cwd: scratch,
      env: { ...process.env, PATH: goPath(), GOFLAGS: '-mod=mod -buildvcs=false', CGO_ENABLED: '0' },
      timeout: proxyWaitMs,
      maxBuffer: 1 << 26,
    })
  // Renamed into place when complete: another run may look at the same moment.
  const partial = `${path}.${process.pid}`
  try {
    // A scratch module, since `go install` requests lists of versions, which some proxies refuse.
    await go('mod', 'init', 'scratch')
    await go('get', `${source}@${version}`)
    // Without optimization it compiles in two thirds of the time, and a call takes 50 ms longer.
    await go('build', '-trimpath', '-ldflags=-s -w', '-gcflags=all=-N -l -dwarf=false', '-o', partial, source)
    renameSync(partial, path)
    return path
  } finally {
    rmSync(scratch, { recursive: true, force: true })
    rmSync(partial, { force: true })
  }
}
