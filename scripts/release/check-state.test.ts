import { execFileSync } from 'node:child_process'
import { temporaryFolder } from '@pulseward/testing'
import { describe, expect, it } from 'vitest'
import { checkState } from './check-state.ts'

function checkout() {
  const folder = temporaryFolder({ 'package.json': '{ "version": "0.1.0" }' })
  const git = (...words: string[]) => execFileSync('git', words, { cwd: folder.root, stdio: 'ignore' })
  const author = ['-c', 'user.name=Release', '-c', 'user.email=release@example.invalid']
  git('init')
  git('add', '--all')
  git(...author, 'commit', '--message', 'Start')
  return { ...folder, git }
}

describe('a checkout', () => {
  it('may release a version that comes after its own', () => {
    using folder = checkout()
    expect(checkState(folder.root, '0.2.0')).toBe('0.1.0')
    expect(checkState(folder.root, '0.1.1-rc.1')).toBe('0.1.0')
  })

  const refused = [
    ['0.1.0', '0.1.0 does not come after 0.1.0'],
    ['0.1.0-rc.1', '0.1.0-rc.1 does not come after 0.1.0'],
    ['0.0.9', '0.0.9 does not come after 0.1.0'],
    ['v0.2.0', '“v0.2.0” is not a version'],
  ] as const
  it('releases nothing else', () => {
    using folder = checkout()
    for (const [version, sentence] of refused)
      expect(() => checkState(folder.root, version)).toThrow(sentence)
  })

  it('releases nothing while a file is changed or new', () => {
    using folder = checkout()
    folder.write('notes.txt', 'not committed')
    expect(() => checkState(folder.root, '0.2.0')).toThrow(/not committed.*\n.*notes\.txt/)
  })

  it('releases nothing under a tag that is there', () => {
    using folder = checkout()
    folder.git('tag', 'v0.2.0')
    expect(() => checkState(folder.root, '0.2.0')).toThrow('The tag v0.2.0 is there already')
    expect(checkState(folder.root, '0.2.1')).toBe('0.1.0')
  })
})
