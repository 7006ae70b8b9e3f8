// power-cut/traced-process.ts: runs a program with disk-trace.c loaded before its libc, and returns what it did to the
// files below a folder. Needs Linux and a C compiler; if they are missing, `whyNoDiskTrace` says so.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type TemporaryFolder, temporaryFolder } from '../files/temporary-folder.ts'
import { type DiskOperation, readTrace } from './disk-operations.ts'

const source = fileURLToPath(new URL('disk-trace.c', import.meta.url))

/** Null if it works here. */
export function whyNoDiskTrace(): string | null {
  if (process.platform !== 'linux') return 'what a process writes can be traced on Linux only'
  const { error } = spawnSync('cc', ['--version'])
  return error === undefined
    ? null
    : 'there is no C compiler (cc) for the layer that traces writes; install gcc'
}

export interface TracedProgram {
  /** JavaScript; its first argument is the folder, the others follow. */
  readonly program: string
  readonly arguments?: readonly string[]
}

export interface DiskTrace extends Disposable {
  /** The folder that the program worked in. */
  readonly root: string
  readonly operations: readonly DiskOperation[]
}

export async function traceDisk({ program, arguments: given = [] }: TracedProgram): Promise<DiskTrace> {
  const folder = temporaryFolder()
  try {
    const library = build(folder)
    const root = folder.path('disk')
    const script = folder.write('program.mjs', program)
    mkdirSync(root)
    const trace = folder.path('trace')
    const child = spawn(process.execPath, [script, root, ...given], {
      env: { ...process.env, LD_PRELOAD: library, DISK_TRACE_FILE: trace, DISK_TRACE_ROOT: root },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const words: Buffer[] = []
    child.stderr.on('data', (chunk: Buffer) => words.push(chunk))
    const [code, signal] = await once(child, 'close')
    if (code !== 0)
      throw new Error(`the traced program ended with ${code ?? signal}: ${Buffer.concat(words)}`)
    return {
      root,
      operations: readTrace(readFileSync(trace)),
      [Symbol.dispose]: () => folder[Symbol.dispose](),
    }
  } catch (error) {
    folder[Symbol.dispose]()
    throw error
  }
}

function build(folder: TemporaryFolder): string {
  const library = folder.path('disk-trace.so')
  const { status, stderr } = spawnSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, source, '-ldl'], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`disk-trace.c cannot be built: ${stderr}`)
  return library
}
