// Names of other programs on a page here: whatever they are, the page is valid.
import { expect, it } from 'vitest'
import { Notes } from './notes.ts'
import { pageDraft, pageHost, pageId, withMonitors } from './page-draft.ts'

it('makes texts that can be shown, and ids of its own', () => {
  const members = ['\u0000', '\ud800'.repeat(3), 'x'.repeat(300), 'A b', 'a-b'].map((name) => ({
    name,
    monitors: ['m'],
  }))
  const { title, groups } = pageDraft('\n\t', [{ name: '', members }], { subject: 's', notes: new Notes() })
  expect([title, groups[0]!.name]).toEqual(['Status', 'Services'])
  expect(groups[0]!.components.map(({ id, name }) => [id, name])).toEqual([
    ['component', 'Component'],
    ['component-2', '\ufffd\ufffd\ufffd'],
    ['x'.repeat(56), 'x'.repeat(128)],
    ['a-b', 'A b'],
    ['a-b-2', 'a-b'],
  ])
})

it('takes as much as a page can have, and notes the rest', () => {
  const notes = new Notes()
  const many = (count: number) => Array.from({ length: count }, () => ({ name: 'm', monitors: ['m'] }))
  const groups = Array.from({ length: 33 }, (_, index) => ({
    name: `g${index}`,
    members: many(index === 0 ? 129 : 1),
  }))
  const made = pageDraft('T', groups, { subject: 'the page', notes })
  expect([made.groups.length, made.groups[0]!.components.length]).toEqual([32, 128])
  expect(notes.lines()).toHaveLength(2)
})

it('leaves out what did not become a monitor', () => {
  const page = pageDraft(
    'T',
    [
      {
        name: 'a',
        members: [
          { name: 'x', monitors: ['x', 'gone'] },
          { name: 'y', monitors: ['gone'] },
        ],
      },
      { name: 'b', members: [{ name: 'z', monitors: ['gone'] }] },
    ],
    { subject: 's', notes: new Notes() },
  )
  expect(withMonitors(page, (id) => id === 'x')?.groups).toEqual([
    { name: 'a', components: [{ id: 'x', name: 'x', monitors: ['x'] }] },
  ])
  expect(withMonitors(page, () => false)).toBeNull()
})

it('takes names for hosts, and nothing else', () => {
  expect([' Status.Shop.example', '192.0.2.1', 'localhost', 'a b.example', ''].map(pageHost)).toEqual([
    'status.shop.example',
    ...Array(4).fill(null),
  ])
  expect(pageId('--', 'status')).toBe('status')
})
