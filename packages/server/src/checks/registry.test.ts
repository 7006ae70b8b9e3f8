// Every driver of the registry is whole: its code, its tests, its peers and its example stand in one folder.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { checks } from './registry.ts'

const recipe = 'CONTRIBUTING.md, "Add a check"'

it.each(Object.keys(checks))('has the whole folder of the %s check', (name) => {
  const files = [`${name}.ts`, `${name}.test.ts`, 'peers.ts', 'example.yaml']
  const missing = files.filter((file) => !existsSync(join(import.meta.dirname, name, file)))
  expect(
    missing.map((file) => `The check ${name} has no ${file}: write checks/${name}/${file} (${recipe}).`),
  ).toEqual([])
})
