import { describe, expect, it } from 'vitest'
import { readCommandLine } from '../scripts/command-line/command.ts'
import { gatus } from './contender-gatus.ts'
import { peers, peersAt } from './peers.ts'

const none = { gatus: null, cpra: null, blackbox: null }
const program = process.execPath

describe('the peers of a run', () => {
  it('are those whose program was given', () => {
    expect(peersAt({ ...none, cpra: program }, 'http').map(({ name }) => name)).toEqual(['CPRa'])
    const all = peersAt({ gatus: program, cpra: program, blackbox: program }, 'tcp')
    expect(all.map(({ name }) => name)).toEqual(['Gatus', 'CPRa', 'blackbox_exporter'])
  })

  it('are joined by one that is built here', () => {
    const own = gatus(program)
    expect(peersAt({ ...none, blackbox: program }, 'https', own)).toHaveLength(2)
    expect(peersAt(none, 'https', own)).toEqual([own])
  })

  it('are refused for https when one would refuse the targets', () => {
    expect(() => peersAt({ ...none, cpra: program }, 'https')).toThrow('leave --cpra out')
  })

  it('are refused when there are none', () => {
    expect(() => peersAt(none, 'https')).toThrow('give --gatus, --cpra or --blackbox')
  })

  it('are refused when a path is not that of a program', () => {
    expect(() => peersAt({ ...none, gatus: '/no/such/gatus' }, 'http')).toThrow('--gatus needs a program')
  })

  it('are given by flags beside the shape of the fleet', () => {
    const typed = ['--type', 'tcp', '--monitors', '10000', '--interval', '2s', '--gatus', './gatus']
    expect(readCommandLine({ call: '', about: '', flags: peers.flags }, typed)).toMatchObject({
      kind: 'run',
      values: { type: 'tcp', monitors: 10_000, interval: 2, seconds: 20, gatus: './gatus', cpra: null },
    })
  })
})
