// outbound-contract/driver-contracts.ts: makes the tests of a registry's drivers. Each driver has a folder
// named as in fleet files; its peers are found there, so the registry is the only list of drivers. A missing
// file fails a test that names it and says what it is for.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

export interface DriverContracts<Driver, Peers> {
  /** Such as notifier. */
  readonly noun: string
  readonly registry: Readonly<Record<string, Driver>>
  /** The folder of the registry. */
  readonly room: string
  /** Each promise, and a function that returns sentences about what is broken. */
  readonly clauses: Readonly<Record<string, (driver: Driver, peers: Peers) => Promise<string[]>>>
}

/** Contracts are slow, so several test files can each run a share of them. */
export interface Share {
  /** From 1 on. */
  readonly part: number
  readonly of: number
}

/** The files in the folder of a driver. */
const files: readonly [name: (folder: string) => string, purpose: string][] = [
  [(folder) => `${folder}.ts`, 'the driver'],
  [(folder) => `${folder}.test.ts`, 'its test'],
  [() => 'peers.ts', 'exports startPeers, which starts the peers that the contract tries it with'],
  [() => 'example.yaml', 'a whole fleet file that uses it, for its page in the documentation'],
]

export async function driverContracts<Driver, Peers extends AsyncDisposable>(
  { noun, registry, room, clauses }: DriverContracts<Driver, Peers>,
  { part, of }: Share = { part: 1, of: 1 },
): Promise<void> {
  const share = Object.entries(registry).filter((_, index) => index % of === part - 1)
  for (const [name, driver] of share) {
    const folder = name.replaceAll('_', '-')
    const path = join(room, folder)
    const startPeers = await loadStartPeers<Peers>(join(path, 'peers.ts'))
    describe(`the ${name} ${noun}`, () => {
      it('has all of its files', () => expect(missingFiles(path, folder)).toEqual([]))
      if (startPeers === null) return
      let peers: Peers
      beforeAll(async () => {
        peers = await startPeers()
      })
      afterAll(() => peers[Symbol.asyncDispose]())
      for (const [promise, clause] of Object.entries(clauses)) {
        it(promise, async () => expect(await clause(driver, peers)).toEqual([]))
      }
    })
  }
}

async function loadStartPeers<Peers>(file: string): Promise<(() => Promise<Peers>) | null> {
  if (!existsSync(file)) return null
  const { startPeers } = await import(pathToFileURL(file).href)
  if (typeof startPeers !== 'function') throw new Error(`${file} does not export the function startPeers.`)
  return startPeers
}

function missingFiles(path: string, folder: string): string[] {
  return files
    .map(([name, purpose]) => ({ file: join(path, name(folder)), purpose }))
    .filter(({ file }) => !existsSync(file))
    .map(({ file, purpose }) => `${file} is missing: ${purpose}.`)
}
