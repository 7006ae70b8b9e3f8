import type { v2 } from '@pulseward/contract'
import { describe, expect, it } from 'vitest'
import { samples } from '../served.fixture.ts'
import { inDependencyOrder } from './dependency-order.ts'

const { credential, endpoint, group, monitor } = samples

const idsOf = (...resources: object[]) =>
  inDependencyOrder(resources.map((resource) => ({ resource: resource as v2.Resource }))).map(
    ({ resource }) => resource.metadata.id,
  )

describe('the order of writing', () => {
  it('is credentials, endpoints, groups, monitors, each kind as it came', () => {
    expect(
      idsOf(
        monitor('m2'),
        group('g', 'e'),
        endpoint('e', 'c'),
        monitor('m1'),
        credential('c2'),
        credential('c1'),
      ),
    ).toEqual(['c2', 'c1', 'e', 'g', 'm2', 'm1'])
  })

  it('has parents before what depends on them, also over several steps', () => {
    const after = (id: string, ...dependsOn: string[]) => monitor(id, { dependsOn })
    expect(
      idsOf(after('c', 'b', 'x'), after('x', 'a'), after('b', 'a'), after('a'), after('d', 'c')),
    ).toEqual(['a', 'x', 'b', 'c', 'd'])
  })

  it('leaves a circle and what is not here to the service', () => {
    const after = (id: string, ...dependsOn: string[]) => monitor(id, { dependsOn })
    expect(idsOf(after('a', 'b'), after('b', 'a'), after('c', 'elsewhere')).sort()).toEqual(['a', 'b', 'c'])
  })

  it('of a long chain does not exhaust the stack', () => {
    const chain = Array.from({ length: 20_000 }, (_, index) =>
      monitor(`m${index}`, { dependsOn: [`m${index + 1}`] }),
    )
    const ids = idsOf(...chain)
    expect([ids.length, ids[0], ids.at(-1)]).toEqual([20_000, 'm19999', 'm0'])
  })
})
