// store/filled-beside.ts: fills what a store with files has beside its database: the list of principals, and an operation
// that is staged and planned.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dataDirectory } from '@pulseward/server/internal/store/data-directory.ts'
import { StagingFile } from '@pulseward/server/internal/store/sqlite/staging/staging-file.ts'
import { pathOf } from '@pulseward/server/internal/store/sqlite/staging/staging-folder.ts'

export const besidePrincipals = '{ "version": 1, "principals": [] }'
export const besideHead = {
  ...{ number: 3, store: 'this one', itemCount: 2, contentDigest: 'sha256:00', touchedAt: 1 },
}

export function besideItem(itemId: string) {
  return {
    ...{
      itemId,
      kind: 0,
      id: `id-of-${itemId}`,
      digest: null,
      source: 'a\u0000"',
      expected: null,
      name: 'N',
    },
    ...{ labels: '{}', spec: '{"a":1}', hasReferences: 0 },
    sealed: itemId === 'b' ? Uint8Array.of(0, 255) : null,
  }
}

export function fillBeside(directory: string): void {
  const files = dataDirectory(directory)
  writeFileSync(files.principals, besidePrincipals)
  mkdirSync(files.staging)
  using staged = StagingFile.create(pathOf(files.staging, besideHead.number), besideHead)
  const none = () => {}
  staged.add([besideItem('a'), besideItem('b')], 2, none, none)
  staged.indexResources()
  staged.plan([
    { ordinal: 1, rank: 0, seen: 4, outcome: 'updated' },
    { ordinal: 0, rank: 1, seen: null, outcome: 'created' },
  ])
}
