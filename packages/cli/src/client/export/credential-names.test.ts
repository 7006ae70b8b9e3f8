import { describe, expect, it } from 'vitest'
import { CredentialNames } from './credential-names.ts'

describe('credentials of an exported fleet file', () => {
  it('keep their names, each with a variable of its own', () => {
    const names = new CredentialNames(['ops-hook', 'ops.hook', '9lives', 'spare'])
    for (const id of ['ops-hook', 'ops.hook', '9lives', 'ops-hook']) expect(names.nameOf('api', id)).toBe(id)
    expect(names.credentials).toEqual({
      'ops-hook': { env: 'OPS_HOOK' },
      'ops.hook': { env: 'OPS_HOOK_2' },
      '9lives': { env: '_9LIVES' },
    })
    expect([names.unused, names.renamed]).toEqual([['spare'], []])
  })

  it('of files never take the name of one of v2, or of another that was renamed', () => {
    const names = new CredentialNames(['hook', 'hook.file'])
    expect(names.nameOf('file', 'hook')).toBe('hook.file.2')
    expect(names.nameOf('file', 'hook')).toBe('hook.file.2')
    expect(names.nameOf('file', 'hook.file.2')).toBe('hook.file.2.file')
    expect(names.nameOf('file', 'other')).toBe('other')
    expect(names.renamed).toEqual([
      ['hook', 'hook.file.2'],
      ['hook.file.2', 'hook.file.2.file'],
    ])
  })

  it('stay within the length of a name', () => {
    const long = 'x'.repeat(128)
    const name = new CredentialNames([long]).nameOf('file', long)
    expect(name).toBe(`${'x'.repeat(126)}.2`)
  })
})
