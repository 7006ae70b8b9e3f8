import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { views } from '../views/registry.ts'
import { documents } from './documents.ts'
import { appearanceActions, verbActions, wishIn } from './palette-actions.ts'
import { choicesInWords, type Findable, nothingMore, paletteChoices, stepped } from './palette-choices.ts'

const found = { total: 40, monitors: [{ id: 7, name: '<img src=x>', status: 'up' as const }] }
const run = () => {}
const commands = [{ keys: 's', does: 'Snooze this monitor', isCommand: true, run }]
const withCommands: Findable = { ...nothingMore, commands }

describe('the choices of the palette', () => {
  it('are the views while nothing is typed', () => {
    expect(paletteChoices(' ', null).map(({ name }) => name)).toEqual(views.map(({ name }) => name))
  })

  it('are views by a part of their name, then monitors, then the list of all that match', () => {
    const choices = paletteChoices('MONI', found)
    expect(choices.flatMap((choice) => ('path' in choice ? [choice.path] : []))).toEqual([
      '/monitors',
      '/monitors/7',
      '/monitors?q=MONI',
    ])
    expect(choices.at(-1)?.name).toBe('Show 40 monitors in the list')
  })

  it('are commands by the words of what they do, after the views', () => {
    const choices = paletteChoices('MONI this', null, views, withCommands)
    expect(choices[0]).toEqual({ kind: 'command', name: 'Snooze this monitor', keys: 's', run })
    expect(paletteChoices('', null, views, withCommands).at(-1)?.kind).toBe('command')
    expect(choicesInWords('', paletteChoices('', null, views, withCommands), null)).toBe(
      '8 views and 1 command',
    )
    expect(paletteChoices('zzz', null, views, withCommands).map(({ kind }) => kind)).toEqual(['all'])
  })

  it('are open incidents by the name of their monitor, and any incident by its id', () => {
    const more = { ...nothingMore, incidents: [{ id: 'inc-1', name: 'Checkout' }] }
    const ofKind = (text: string) =>
      paletteChoices(text, null, views, more).filter(({ kind }) => kind === 'incident')
    expect(ofKind('check')).toEqual([
      { kind: 'incident', path: '/incidents/inc-1', name: 'Incident: Checkout' },
    ])
    expect(ofKind('incident')).toHaveLength(1)
    expect(ofKind('other')).toEqual([])
    const id = '01JQ8X3V5R7T9W1Y3A5C7E9G1J'
    expect(ofKind(id)).toEqual([{ kind: 'incident', path: `/incidents/${id}`, name: `Incident: ${id}` }])
  })

  it('are settings and documents by what they are about', () => {
    const more = { ...nothingMore, settings: [{ name: 'alert cooldown ms', value: '300000' }] }
    const names = (text: string) => paletteChoices(text, null, views, more).map(({ name }) => name)
    expect(names('cooldown')).toEqual(['alert cooldown ms: 300000', 'Alerting', 'Search in all monitors'])
    expect(names('documentation backup')).toContain('Backing up')
  })

  it('are actions by their words: the dark appearance, and a new monitor', () => {
    const chosen: string[] = []
    const actions = [
      ...appearanceActions((next) => chosen.push(next)),
      { name: 'New monitor', about: 'create', run: () => chosen.push('new') },
    ]
    for (const text of ['dark', 'new monitor', 'create monitor']) {
      const choice = paletteChoices(text, null, views, { ...nothingMore, actions }).find(
        ({ kind }) => kind === 'action',
      )
      if (choice?.kind === 'action') choice.run()
    }
    expect(chosen).toEqual(['dark', 'new', 'new'])
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

describe('a verb in the palette', () => {
  it.each([
    ['ack', 'acknowledge', ''],
    ['ack Check Out', 'acknowledge', 'Check Out'],
    ['  SNOOZE  edge ', 'snooze', 'edge'],
    ['rec', 'recover', ''],
    ['dismiss', 'dismiss', ''],
    ['a edge', null, 'a edge'],
    ['edge ack', null, 'edge ack'],
    ['', null, ''],
  ])('in %j is %s of %j', (text, verb, rest) => {
    expect(wishIn(text)).toEqual({ verb, rest })
  })

  it('is offered for each subject by name, and asks about that one', () => {
    const asked: unknown[] = []
    const subjects = [{ monitorId: 'edge', name: '<b>Edge</b>', incidentId: 'inc-1' }]
    const actions = verbActions('acknowledge', subjects, (verb, subject) => asked.push([verb, subject]))
    expect(actions.map(({ name }) => name)).toEqual(['Acknowledge: <b>Edge</b>'])
    actions[0]?.run()
    expect(asked).toEqual([['acknowledge', subjects[0]]])
  })
})

it.each(documents)('the document “$name” is there', ({ file }) => {
  expect(existsSync(join(import.meta.dirname, '../../../../docs', file))).toBe(true)
})
