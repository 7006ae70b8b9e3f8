import { describe, expect, it } from 'vitest'
import { readCommandLine } from '../scripts/command-line/command.ts'
import { peers, peersAt } from './peers.ts'

const none = { gatus: null, cpra: null, blackbox: null }
const program = process.execPath

describe('the peers of a run', () => {
  it('are those whose program was given', () => {
    expect(peersAt({ ...none, cpra: program }).map(({ name }) => name)).toEqual(['CPRa'])
    const all = peersAt({ gatus: program, cpra: program, blackbox: program })
    expect(all.map(({ name }) => name)).toEqual(['Gatus', 'CPRa', 'blackbox_exporter'])
  })

  it('are refused when there are none', () => {
    expect(() => peersAt(none)).toThrow('give --gatus, --cpra or --blackbox')
  })

  it('are refused when a path is not that of a program', () => {
    expect(() => peersAt({ ...none, gatus: '/no/such/gatus' })).toThrow('--gatus needs a program')
  })

  it('are given by flags beside the shape of the fleet', () => {
    const typed = ['--type', 'tcp', '--monitors', '10000', '--interval', '2s', '--gatus', './gatus']
    expect(readCommandLine({ call: '', about: '', flags: peers.flags }, typed)).toMatchObject({
      kind: 'run',
      values: { type: 'tcp', monitors: 10_000, interval: 2, seconds: 20, gatus: './gatus', cpra: null },
    })
  })
})
