import { readFileSync } from 'node:fs'
import { temporaryFolder } from '@pulseward/testing'
import { definitionOf, monitorsOf } from '@pulseward/testing/fleet'
import { describe, expect, it } from 'vitest'
import type { FleetDefinition } from '../config/fleet-file/definition.ts'
import { DefinitionBuilder } from '../config/fleet-file/definition-builder.ts'
import { monitorsOf as partsOf } from '../fleet/snapshot/packed-monitors.ts'
import { readSnapshot, type SnapshotSource, writeSnapshot } from './arrangement-snapshot.ts'

const monitors = Array.from({ length: 300 }, (_, number) => ({
  id: `m-${number}`,
  name: number % 7 === 0 ? `Größe ${number} 🙂` : `Monitor ${number}`,
  tags: number % 3 === 0 ? ['a', 'b'] : [`t-${number % 5}`],
  labels: { slice: `s${number}` },
  depends_on: number > 0 && number % 4 === 0 ? [`m-${number - 1}`] : [],
  check: {
    type: 'http',
    interval: `${10 + (number % 9)}s`,
    config: { url: `http://h-${number}/${'x'.repeat(number)}` },
  },
}))

function own(written = monitors): FleetDefinition {
  const builder = new DefinitionBuilder()
  for (const monitor of written) builder.add(monitor, null)
  return builder.finish({})
}

function sourceOf(
  definition: FleetDefinition,
  present = definition.names.starts.map(() => 1),
): SnapshotSource {
  return {
    ...partsOf(definition),
    key: 'this-one',
    change: 7,
    present: Uint8Array.from(present),
    ownSource: definition.sources.values.indexOf(null),
  }
}

describe('a snapshot of the arrangement', () => {
  it('holds every monitor as it is', () => {
    using folder = temporaryFolder()
    const path = folder.path('snapshot')
    expect(writeSnapshot(path, sourceOf(own()))).toBe(true)
    const read = readSnapshot(path, 'this-one')
    expect(read?.change).toBe(7)
    expect(monitorsOf(read!.definition)).toEqual(monitorsOf(own()))
  })

  it('leaves out free rows, monitors of files, and values that no monitor has', () => {
    using folder = temporaryFolder()
    const path = folder.path('snapshot')
    const builder = new DefinitionBuilder()
    for (const [number, monitor] of monitors.entries())
      builder.add(monitor, number % 2 === 0 ? null : 'fleet.yaml')
    const definition = builder.finish({})
    const present = Uint32Array.from(monitors, (_, number) => (number < 10 ? 0 : 1))
    writeSnapshot(path, sourceOf(definition, present))
    const read = readSnapshot(path, 'this-one')!.definition
    const expected = own(monitors.filter((_, number) => number >= 10 && number % 2 === 0))
    expect(monitorsOf(read)).toEqual(monitorsOf(expected))
    expect(read.labels.values).toHaveLength(expected.count + 1)
  })

  it('can be written while the fleet is changed: a monitor that changed may be anything, all others are right', () => {
    using folder = temporaryFolder()
    const path = folder.path('snapshot')
    const source = sourceOf(own())
    const tags = source.numbers.tags.slice()
    tags[3] = 1_000
    const starts = source.texts.configs.starts.slice()
    starts[3] = 0xff00_0000
    const { ids, names, configs } = source.texts
    const torn = {
      ...source,
      numbers: { ...source.numbers, tags },
      texts: { ids, names, configs: { ...configs, starts } },
    }
    writeSnapshot(path, torn)
    const read = readSnapshot(path, 'this-one')!.definition
    const { starts: readStarts } = read.configs
    expect(readStarts[3]).toBe(0)
    // An empty text is not a configuration, so the comparison leaves it out.
    readStarts[3] = readStarts[4]!
    expect(monitorsOf(read).toSpliced(3, 1)).toEqual(monitorsOf(own()).toSpliced(3, 1))
  })

  it('is not used when it is missing, or of another store, life or program', () => {
    using folder = temporaryFolder()
    const path = folder.path('snapshot')
    expect(readSnapshot(path, 'this-one')).toBeNull()
    writeSnapshot(path, sourceOf(own()))
    expect(readSnapshot(path, 'another')).toBeNull()
  })

  it('is not used when it is cut off anywhere', () => {
    using folder = temporaryFolder()
    const path = folder.path('snapshot')
    writeSnapshot(path, sourceOf(own()))
    const whole = readFileSync(path)
    for (let bytes = 0; bytes < whole.length; bytes += 997) {
      folder.write('snapshot', whole.subarray(0, bytes))
      expect(readSnapshot(path, 'this-one')).toBeNull()
    }
  })

  it('is not used when any of its bytes is another one', () => {
    using folder = temporaryFolder()
    const path = folder.path('snapshot')
    writeSnapshot(path, sourceOf(own()))
    const whole = readFileSync(path)
    for (let at = 0; at < whole.length; at += 499) {
      const damaged = Buffer.from(whole)
      damaged[at]! ^= 0x10
      folder.write('snapshot', damaged)
      expect(readSnapshot(path, 'this-one')).toBeNull()
    }
  })

  it('takes the place of an earlier one, also after a process was killed while it wrote', () => {
    using folder = temporaryFolder()
    const path = folder.path('snapshot')
    writeSnapshot(path, sourceOf(own(monitors.slice(0, 10))))
    folder.write('snapshot.unfinished', 'half of one')
    expect(readSnapshot(path, 'this-one')?.definition.count).toBe(10)
    writeSnapshot(path, sourceOf(own()))
    expect(readSnapshot(path, 'this-one')?.definition.count).toBe(monitors.length)
  })

  it('is as good as the definition of an empty fleet when there is nothing in it', () => {
    using folder = temporaryFolder()
    const path = folder.path('snapshot')
    writeSnapshot(path, sourceOf(own([])))
    expect(monitorsOf(readSnapshot(path, 'this-one')!.definition)).toEqual(monitorsOf(definitionOf([])))
  })
})
