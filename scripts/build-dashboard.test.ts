import { rmSync, utimesSync } from 'node:fs'
import { temporaryFolder } from '@pulseward/testing'
import { expect, it } from 'vitest'
import { isWholeAndFresh, licensesOfPage } from './build-dashboard.ts'

const files = ['index.html', '.vite/manifest.json', licensesOfPage]
const built = () =>
  temporaryFolder({
    'src/page.ts': '',
    ...Object.fromEntries(files.map((file) => [`dist/${file}`, ''])),
  })

it('takes a build that is whole and newer than its sources as it is', () => {
  using folder = built()
  utimesSync(folder.path('src/page.ts'), 1, 1)
  utimesSync(folder.path('src'), 1, 1)
  expect(isWholeAndFresh(folder.path('dist'), [folder.path('src')])).toBe(true)
})

it.each(files)('builds again where %s is missing or older than a source', (file) => {
  using folder = built()
  utimesSync(folder.path('src/page.ts'), 1, 1)
  utimesSync(folder.path('src'), 1, 1)
  utimesSync(folder.path(`dist/${file}`), 0.5, 0.5)
  expect(isWholeAndFresh(folder.path('dist'), [folder.path('src')])).toBe(false)
  rmSync(folder.path(`dist/${file}`))
  expect(isWholeAndFresh(folder.path('dist'), [folder.path('src')])).toBe(false)
})
