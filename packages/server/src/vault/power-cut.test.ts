// A disk that loses at a power cut what was not synced: a real process makes, rotates and drops keys while every write is
// traced; then the folder is made as a disk could hold it after a cut at any point, and the next process goes on.
import { existsSync, mkdirSync } from 'node:fs'
import { describeUnless, Random, temporaryFolder } from '@pulseward/testing'
import { type DiskTrace, LossyDisk, traceDisk, whyNoDiskTrace } from '@pulseward/testing/power-cut'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { openKeyRing, readKeyFile } from './key-file.ts'
import { createKeyRing, dropOldKeys, rotate } from './rotation.ts'

/** More of them with POWER_CUTS=2000 before npm test. */
const cuts = Number(process.env['POWER_CUTS'] ?? 40)
const patience = { timeout: 600_000 + cuts * 200 }
const abandonedAfterMs = 0

const moduleAt = (path: string) => JSON.stringify(new URL(path, import.meta.url).href)

/** Says after each step which key is current. */
const rotates = `
  import { writeSync } from 'node:fs'
  import { join } from 'node:path'
  import { createKeyRing, dropOldKeys, rotate } from ${moduleAt('rotation.ts')}
  const path = join(process.argv[2], 'data.key')
  const first = await createKeyRing(path)
  writeSync(1, 'made ' + first.currentId)
  const second = await rotate(path)
  writeSync(1, 'rotated ' + second.currentId)
  await dropOldKeys(path, new Set([second.currentId]))
  writeSync(1, 'dropped ' + second.currentId)
`

/** The same, written without considering power cuts. */
const writesCarelessly = `
  import { renameSync, writeFileSync, writeSync } from 'node:fs'
  import { join } from 'node:path'
  import { KeyRing } from ${moduleAt('key-ring.ts')}
  const path = join(process.argv[2], 'data.key')
  let ring = KeyRing.generate()
  const write = (step) => {
    writeFileSync(path + '.new', ring.fileText(), { mode: 0o600 })
    renameSync(path + '.new', path)
    writeSync(1, step + ' ' + ring.currentId)
  }
  write('made')
  ring = ring.withNewKey()
  write('rotated')
  ring = ring.onlyCurrent()
  write('dropped')
`

/** Makes the folder as a disk could hold it after so many operations, and answers with what was printed by then. */
function cutPower(
  { root, operations }: DiskTrace,
  cut: number,
  seed: number,
  to: string,
): Map<string, string> {
  const disk = new LossyDisk(root)
  const printed = new Map<string, string>()
  for (const operation of operations.slice(0, cut)) {
    disk.take(operation)
    if (operation.kind !== 'output') continue
    const [step = '', id = ''] = operation.text.split(' ')
    printed.set(step, id)
  }
  disk.writeAfterPowerCut(new Random(seed), to)
  return printed
}

/** Every key that was announced and not dropped is there, and the next process can go on. */
async function expectAnnouncedKeys(path: string, printed: ReadonlyMap<string, string>): Promise<void> {
  const [made, rotated, dropped] = ['made', 'rotated', 'dropped'].map((step) => printed.get(step))
  if (made === undefined) expect([0, 1]).toContain((await openKeyRing(path, new Set()))?.ids.length ?? 0)
  else {
    const { ids } = await readKeyFile(path)
    if (dropped !== undefined) expect(ids).toEqual([dropped])
    else if (rotated !== undefined) expect([`${rotated},${made}`, rotated]).toContain(ids.join())
    else expect([1, 2].map((count) => ids.at(-1) === made && ids.length === count)).toContain(true)
  }
  await createKeyRing(path, abandonedAfterMs)
  const { currentId } = await rotate(path, abandonedAfterMs)
  await dropOldKeys(path, new Set([currentId]), abandonedAfterMs)
  expect(existsSync(`${path}.partial`)).toBe(false)
}

async function cutAnywhere(trace: DiskTrace): Promise<void> {
  const place = fc.record({ cut: fc.nat({ max: trace.operations.length }), seed: fc.nat() })
  await fc.assert(
    fc.asyncProperty(place, async ({ cut, seed }) => {
      using folder = temporaryFolder()
      mkdirSync(folder.path('disk'))
      const printed = cutPower(trace, cut, seed, folder.path('disk'))
      await expectAnnouncedKeys(folder.path('disk/data.key'), printed)
    }),
    { numRuns: cuts, endOnFailure: true },
  )
}

describeUnless(whyNoDiskTrace(), 'a power cut while keys change', () => {
  it('leaves a whole ring with every key that was announced', patience, async () => {
    using trace = await traceDisk({ program: rotates })
    expect(trace.operations.filter(({ kind }) => kind === 'output')).toHaveLength(3)
    await cutAnywhere(trace)
  })

  it('would take keys with it if they were not synced', patience, async () => {
    using trace = await traceDisk({ program: writesCarelessly })
    await expect(cutAnywhere(trace)).rejects.toThrow(/Property failed after/)
  })
})
