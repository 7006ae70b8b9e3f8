// Every driver of the registry is whole: its code, its tests, its peers and its example stand in one folder, and one of
// the contract files runs its contract.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { checks } from './registry.ts'

const room = import.meta.dirname
const recipe = 'CONTRIBUTING.md, "Add a check"'

it.each(Object.keys(checks))('has the whole folder of the %s check', (name) => {
  const files = [`${name}.ts`, `${name}.test.ts`, 'peers.ts', 'example.yaml']
  const missing = files.filter((file) => !existsSync(join(room, name, file)))
  expect(
    missing.map((file) => `The check ${name} has no ${file}: write checks/${name}/${file} (${recipe}).`),
  ).toEqual([])
})

it('leaves no driver out of the shares of the contract files', () => {
  const files = globSync('contract-[0-9].test.ts', { cwd: room }).sort()
  const shares = files.map(
    (file) => /\{ part: \d, of: \d \}/.exec(readFileSync(join(room, file), 'utf8'))?.[0],
  )
  expect(shares).toEqual(files.map((_, index) => `{ part: ${index + 1}, of: ${files.length} }`))
})
