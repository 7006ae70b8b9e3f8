import { describe, expect, it } from 'vitest'
import { views } from '../views/registry.ts'
import { choicesInWords, paletteChoices, stepped } from './palette-choices.ts'

const found = { total: 40, monitors: [{ id: 7, name: '<img src=x>', status: 'up' as const }] }

describe('the choices of the palette', () => {
  it('are the views while nothing is typed', () => {
    expect(paletteChoices(' ', null).map(({ name }) => name)).toEqual(views.map(({ name }) => name))
  })

  it('are views by a part of their name, then monitors, then the list of all that match', () => {
    const choices = paletteChoices('MONI', found)
    expect(choices.map((choice) => (choice.kind === 'command' ? choice.name : choice.path))).toEqual([
      '/monitors',
      '/monitors/7',
      '/monitors?q=MONI',
    ])
    expect(choices.at(-1)?.name).toBe('Show 40 monitors in the list')
  })

  it('are commands by a part of what they do, after the views', () => {
    const run = () => {}
    const commands = [{ keys: 's', does: 'Snooze this monitor', isCommand: true, run }]
    const choices = paletteChoices('this MONI', null, views, commands)
    expect(choices[0]).toEqual({ kind: 'command', name: 'Snooze this monitor', keys: 's', run })
    expect(paletteChoices('', null, views, commands).at(-1)?.kind).toBe('command')
    expect(choicesInWords('', paletteChoices('', null, views, commands), null)).toBe('6 views and 1 command')
    expect(paletteChoices('zzz', null, views, commands).map(({ kind }) => kind)).toEqual(['all'])
  })

  it('offer the list also while the service has not answered', () => {
    expect(paletteChoices('a&b', null)).toEqual([
      { kind: 'all', path: '/monitors?q=a%26b', name: 'Search in all monitors' },
    ])
  })

  it('are told in words', () => {
    expect(choicesInWords('zzz', paletteChoices('zzz', found), found)).toBe('40 monitors found.')
    expect(choicesInWords('sys', paletteChoices('sys', found), found)).toBe('40 monitors found, and 1 view.')
    expect(choicesInWords('zzz', [], null)).toBe('Monitors are being searched.')
  })

  it('are stepped through around both ends', () => {
    expect([stepped(0, -1, 3), stepped(2, 1, 3), stepped(0, 1, 0)]).toEqual([2, 0, 0])
  })
})
