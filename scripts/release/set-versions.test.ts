import { cpSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@pulseward/testing'
import { expect, it } from 'vitest'
import { setVersions } from './set-versions.ts'

const root = join(import.meta.dirname, '../..')
const chart = 'deploy/helm/pulseward/Chart.yaml'
const files = [
  'package.json',
  'package-lock.json',
  ...globSync('{packages,examples}/*/package.json', { cwd: root }),
]
const current: string = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version

it('changes the version of every package and of what they ask of each other, and nothing else', () => {
  using folder = temporaryFolder()
  for (const file of [...files, chart]) cpSync(join(root, file), folder.path(file))
  setVersions(folder.root, '7.8.9-rc.1')
  const changed = files.flatMap((file) => {
    const before = readFileSync(join(root, file), 'utf8').split('\n')
    const after = readFileSync(folder.path(file), 'utf8').split('\n')
    expect(after.length, file).toBe(before.length)
    return after.flatMap((line, index) =>
      line === before[index] ? [] : [`${before[index]} ⇒ ${line}`.trim()],
    )
  })
  const pattern = new RegExp(
    `^"(version|pulseward|@pulseward/\\w+)": "${RegExp.escape(current)}",? ⇒ +"\\1": "7\\.8\\.9-rc\\.1",?$`,
  )
  expect(changed.filter((line) => !pattern.test(line))).toEqual([])
  // One in each of the eight packages, one in each of their entries of the lock file, and one at its top.
  expect(changed.filter((line) => line.startsWith('"version"'))).toHaveLength(8 + 8 + 1)
  const left = files.filter((file) =>
    new RegExp(`"@?pulseward(/\\w+)?": "${RegExp.escape(current)}"`).test(
      readFileSync(folder.path(file), 'utf8'),
    ),
  )
  expect(left).toEqual([])
  expect(readFileSync(folder.path(chart), 'utf8')).toBe(
    readFileSync(join(root, chart), 'utf8')
      .replace(`\nversion: ${current}\n`, '\nversion: 7.8.9-rc.1\n')
      .replace(`\nappVersion: "${current}"\n`, '\nappVersion: "7.8.9-rc.1"\n'),
  )
  expect(readFileSync(folder.path(chart), 'utf8').match(/7\.8\.9-rc\.1/g)).toHaveLength(2)
})
