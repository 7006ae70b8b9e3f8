import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const files = globSync('**/*.ts', { cwd: import.meta.dirname, exclude: ['**/*.test.ts'] })

it.each(files)('%s can be loaded by a browser', (file) => {
  const text = readFileSync(join(import.meta.dirname, file), 'utf8')
  const imported = [...text.matchAll(/ from '([^']+)'/g)].map((match) => match[1]!)
  expect(imported.filter((name) => !name.startsWith('.') && name !== 'typebox')).toEqual([])
})
