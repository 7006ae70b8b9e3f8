// scripts/container/container-root.ts: makes the root of the container without a container engine, with the
// scripts that the Dockerfile calls, on a minimal Debian; and measures it in bytes.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { temporaryFolder } from '@pulseward/testing'
import { CleanRoot } from '../clean-root/clean-root.ts'
import type { RootKind } from '../clean-root/debian-root.ts'

const deploy = join(import.meta.dirname, '../../deploy')

/** Like the image that the Dockerfile starts from. */
export const slimDebian: RootKind = { name: 'slim', packages: [], hasDocuments: false }

export interface ContainerSizes {
  /** Including the library that is added to it. */
  readonly debian: number
  readonly runtime: number
  readonly pulseward: number
  readonly checkPackages: number
  readonly whole: number
}

/** From the archives of the `pulseward` package and of a slimDebian. */
export function makeContainerRoot(packageArchive: string, debianArchive: string): CleanRoot {
  using app = temporaryFolder()
  execFileSync(join(deploy, 'assemble.sh'), [packageArchive, 'amd64', app.path('pulseward')])
  const root = CleanRoot.unpack(debianArchive)
  try {
    root.copy(app.path('pulseward'), 'usr/lib/pulseward')
    const prepare = { words: ['/mnt/prepare-root.sh'] }
    const folders = { '/mnt': join(deploy, 'container') }
    const { status, output } = root.run(prepare, { network: 'shared', folders })
    if (status !== 0) throw new Error(`The root of the container could not be prepared:\n${output}`)
    return root
  } catch (error) {
    root[Symbol.dispose]()
    throw error
  }
}

export function containerSizes(root: CleanRoot): ContainerSizes {
  const whole = bytesOf(root.path(''))
  const pulseward = bytesOf(root.path('usr/lib/pulseward/node_modules/pulseward'))
  const checkPackages = bytesOf(root.path('usr/lib/pulseward/node_modules')) - pulseward
  const runtime = bytesOf(root.path('usr/lib/pulseward/bin'))
  return { debian: whole - runtime - pulseward - checkPackages, runtime, pulseward, checkPackages, whole }
}

/** Total size of the files in a folder. */
export function bytesOf(path: string): number {
  return Number(/^\d+/.exec(execFileSync('du', ['-sb', path], { encoding: 'utf8' }))![0])
}
