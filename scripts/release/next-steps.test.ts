import { expect, it } from 'vitest'
import { nextSteps } from './next-steps.ts'

const archives = ['pulseward-client-0.2.0.tgz', 'pulseward-0.2.0.tgz']

it('commits, tags and publishes what was packed, in its order', () => {
  expect(nextSteps('0.2.0', archives, '.cache/packages-0.2.0')).toEqual([
    'git commit --all --message "Release 0.2.0"',
    'git tag --annotate v0.2.0 --message "Pulseward 0.2.0"',
    'git push --follow-tags',
    'npm publish .cache/packages-0.2.0/pulseward-client-0.2.0.tgz',
    'npm publish .cache/packages-0.2.0/pulseward-0.2.0.tgz',
  ])
})

it('keeps a prerelease from those who did not ask for it', () => {
  expect(nextSteps('0.2.0-rc.1', archives, 'there').at(-1)).toBe(
    'npm publish there/pulseward-0.2.0.tgz --tag next',
  )
})
