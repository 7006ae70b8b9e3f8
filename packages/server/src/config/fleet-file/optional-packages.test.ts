// A driver whose package is missing is refused when the fleet is read, not when its first check is due.
import { temporaryFolder } from '@pulseward/testing'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import packageJson from '../../../package.json' with { type: 'json' }
import { driverShapes } from '../driver-shapes.ts'
import { FleetFileError, loadFleet } from './load-fleet.ts'
import { MonitorValidator } from './monitor-validator.ts'
import { missingPackage } from './optional-packages.ts'
import type { DriverShape } from './schema.ts'

const shape = (requires?: readonly string[]): DriverShape => ({
  summary: 'Asks something.',
  config: Type.Object({ host: Type.String() }, { additionalProperties: false }),
  ...(requires === undefined ? {} : { requires }),
})

async function mistakes(check: DriverShape, monitors: readonly object[]): Promise<string[]> {
  const lines = monitors.map((config, index) =>
    JSON.stringify({ name: `m${index}`, check: { type: 'odd', config } }),
  )
  using folder = temporaryFolder({ 'fleet.ndjson': lines.join('\n') })
  const drivers = { ...driverShapes, checks: { odd: check } }
  try {
    await loadFleet({ paths: [folder.root], drivers, environment: {}, allowEmpty: false })
    return []
  } catch (error) {
    if (!(error instanceof FleetFileError)) throw error
    return error.mistakes.map(({ line, path, message }) => `${line}: ${path}: ${message}`)
  }
}

const host = { host: 'a' }

describe('a fleet with a driver that needs a package', () => {
  it('is refused with its name where the package is missing, once for all monitors', async () => {
    expect(await mistakes(shape(['no-such-package']), [host, host, host])).toEqual([
      '1: check.type: odd needs the package "no-such-package", which is not installed: npm install no-such-package.',
    ])
  })

  it('is refused for everything else that is wrong as well', async () => {
    const found = await mistakes(shape(['no-such-package']), [{ hots: 'a' }, { hots: 'b' }])
    expect(found.map((mistake) => mistake.split(':').slice(0, 2).join(':'))).toEqual([
      '1: check.type',
      '1: check.config.hots',
      '1: check.config',
      '2: check.config.hots',
      '2: check.config',
    ])
  })

  it('is refused for every monitor where each is judged by itself', () => {
    const drivers = { ...driverShapes, checks: { odd: shape(['no-such-package']) } }
    const validator = new MonitorValidator(drivers, 'always told')
    const monitor = { name: 'a', check: { type: 'odd', config: host } }
    for (let attempt = 0; attempt < 3; attempt++)
      expect(validator.mistakes(monitor)).toMatchObject([{ path: ['check', 'type'] }])
  })

  it('is accepted where it is installed, or where none is needed', async () => {
    expect(await mistakes(shape(['typebox']), [host])).toEqual([])
    expect(await mistakes(shape([]), [host])).toEqual([])
    expect(await mistakes(shape(), [host])).toEqual([])
  })
})

describe('missingPackage', () => {
  it('names every package that is missing', () => {
    expect(missingPackage('odd', ['no-such-one', 'typebox', '@no-such/other'])).toBe(
      'odd needs the packages "no-such-one" and "@no-such/other", which are not installed: npm install no-such-one @no-such/other',
    )
  })

  it('finds packages that can only be imported', () => {
    const imported = Object.values(driverShapes.checks).flatMap(({ requires = [] }) => requires)
    expect(imported.length).toBeGreaterThan(0)
    expect(missingPackage('any', imported)).toBeNull()
  })

  it('knows the version of every package that a driver needs', () => {
    const versions = Object.keys(packageJson.optionalDependencies)
    const needed = Object.values(driverShapes.checks).flatMap(({ requires = [] }) => requires)
    expect(needed.filter((name) => !versions.includes(name))).toEqual([])
  })
})
