// scripts/deploy/build-tool.ts: the programs of others that judge the chart, built from Go's module proxy at exact
// versions and kept in node_modules/.cache. Go checks what it downloads against its public checksum database.
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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

export type Tools = { readonly paths: readonly string[] } | { readonly missing: string }

/** Their paths, in the same order, built where they are not there yet, which takes minutes; or why they cannot be had. */
export async function buildTools(...tools: readonly GoTool[]): Promise<Tools> {
  const paths: string[] = []
  for (const tool of tools) {
    try {
      paths.push(await builtTool(tool))
    } catch (error) {
      const { code, stderr = '', message } = error as Error & { code?: unknown; stderr?: string }
      const why = code === 'ENOENT' ? 'Go is not installed' : (stderr.trim() || message).split('\n').at(-1)
      return { missing: `${tool.name} ${tool.version} cannot be built here: ${why}` }
    }
  }
  return { paths }
}

async function builtTool({ name, version, package: source }: GoTool): Promise<string> {
  const path = join(cache, `${name}-${version}${process.platform === 'win32' ? '.exe' : ''}`)
  if (existsSync(path)) return path
  mkdirSync(cache, { recursive: true })
  const scratch = mkdtempSync(join(tmpdir(), 'pulseward-tool-'))
  const go = (...words: string[]) =>
    run('go', words, {
      cwd: scratch,
      env: { ...process.env, GOFLAGS: '-mod=mod -buildvcs=false', CGO_ENABLED: '0' },
      timeout: proxyWaitMs,
      maxBuffer: 1 << 26,
    })
  // Beside its place, so that it appears there whole: another run may look at the same moment.
  const partial = `${path}.${process.pid}`
  try {
    // A module of its own, since `go install` asks for lists of versions, which some proxies refuse.
    await go('mod', 'init', 'scratch')
    await go('get', `${source}@${version}`)
    await go('build', '-trimpath', '-ldflags=-s -w', '-o', partial, source)
    renameSync(partial, path)
    return path
  } finally {
    rmSync(scratch, { recursive: true, force: true })
    rmSync(partial, { force: true })
  }
}
