import { describe, expect, it } from 'vitest'
import { resolveSettings } from './resolve-settings.ts'
import { storePlaceConcern, withoutPassword } from './store-place.ts'

const given = (flag: string | null, variable?: string) =>
  resolveSettings({
    flags: new Map(flag === null ? [] : [['store', [flag]] as const]),
    environment: variable === undefined ? {} : { PULSEWARD_STORE: variable },
    file: null,
  })

describe('the place of the store', () => {
  it.for([
    ['sqlite', 'sqlite'],
    ['postgres://ward@db:5433/x?host=a@b', 'postgres://ward@db:5433/x?host=a@b'],
    ['postgres://ward:hidden@db/x', 'postgres://ward:***@db/x'],
    ['postgresql://ward:hid/d@n@db/x', 'postgresql://ward:***@db/x'],
  ])('%s is shown as %s', ([written, shown]) => {
    expect(withoutPassword(written!)).toBe(shown)
    expect(given(written!).written.store).toBe(shown)
    expect(given(written!).values.store).toBe(written)
  })

  it('is worth a warning if its password is on the command line, and only there', () => {
    const url = 'postgres://ward:hidden@db/x'
    expect(storePlaceConcern(given(url))).toMatch(/command line.*--store-password-file/)
    expect(storePlaceConcern(given(null, url))).toBeNull()
    expect(storePlaceConcern(given('postgres://ward@db/x'))).toBeNull()
    expect(storePlaceConcern(given(null))).toBeNull()
  })

  it('is refused without being shown if it is none', () => {
    const refused = () => given('postgre://ward:hidden@db/x')
    expect(refused).toThrow(/--store: .*memory, sqlite or a URL/)
    expect(refused).not.toThrow(/hidden/)
  })
})
