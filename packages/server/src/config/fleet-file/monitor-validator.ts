// config/fleet-file/monitor-validator.ts: validates one monitor. A valid one passes the compiled validators
// in a microsecond. An invalid one is walked slowly, and every mistake is explained.
import { didYouMean } from '../../platform/nearest-name.ts'
import { externalDrivers } from '../external-driver.ts'
import { type Mistake, mistakesOf } from '../shape/explain.ts'
import type { Path, Shape } from '../shape/shape.ts'
import { show } from '../shape/words.ts'
import { compileAccept, compileAcceptOptions } from './accept.ts'
import { openReferences, referenceIn, takesCredential } from './credential-places.ts'
import { ruleMistakes } from './monitor-rules.ts'
import { missingPackage } from './optional-packages.ts'
import { salvage } from './salvage.ts'
import { type DriverShape, type DriverShapes, type MonitorDocument, MonitorSchema } from './schema.ts'

interface CompiledDriver {
  readonly shape: DriverShape
  accepts(config: unknown): boolean
  /** Why the driver cannot be used on this installation; null if it can. */
  takeObstacle(): string | null
}

type Obstacles = 'told once' | 'always told'

const nothing: object = {}
/** The largest monitor, with everything in it: 1 MiB. */
const largestMonitor = 1 << 20

export class MonitorValidator {
  readonly #accepts = compileAccept(MonitorSchema)
  readonly #checks: Map<string, CompiledDriver>
  readonly #recoveries: Map<string, CompiledDriver>

  /**
   * By default, a driver that cannot be used is reported only at its first use, because a file may use it a
   * million times. `takesExternal` also allows external drivers, which no file can name.
   */
  constructor(drivers: DriverShapes, obstacles: Obstacles = 'told once', takesExternal = false) {
    const more = takesExternal ? externalDrivers : {}
    this.#checks = compileDrivers({ ...drivers.checks, ...more }, obstacles)
    this.#recoveries = compileDrivers({ ...drivers.recoveries, ...more }, obstacles)
  }

  /**
   * Null if the value is a valid monitor, otherwise all of its mistakes. Pass `isMeasured` if the text that
   * the value was read from is known to be within the size limit.
   */
  mistakes(value: unknown, isMeasured = false): Mistake[] | null {
    if (!isMeasured && sizeExceeds(value, largestMonitor))
      return [{ path: [], message: 'is too large; a monitor may have at most 1 MiB.' }]
    if (this.#fits(value)) return ruleMistakes(value)
    const mistakes = mistakesOf(MonitorSchema, value)
    const { check, recovery } = (value ?? {}) as { check?: unknown; recovery?: unknown }
    mistakes.push(...driverMistakes('check', this.#checks, check, ['check']))
    mistakes.push(...driverMistakes('recovery', this.#recoveries, recovery, ['recovery']))
    if (mistakes.length === 0) throw new Error('the compiled validator refuses what the schema allows')
    mistakes.push(...(ruleMistakes(salvage(value, mistakes) ?? {}) ?? []))
    return mistakes
  }

  #fits(value: unknown): value is MonitorDocument {
    if (!this.#accepts(value)) return false
    const { check, recovery } = value as MonitorDocument
    if (!this.#checks.get(check.type)?.accepts(check.config ?? nothing)) return false
    return (
      recovery === undefined ||
      (this.#recoveries.get(recovery.type)?.accepts(recovery.config ?? nothing) ?? false)
    )
  }
}

function compileDrivers(
  shapes: Readonly<Record<string, DriverShape>>,
  obstacles: Obstacles,
): Map<string, CompiledDriver> {
  const compiled = new Map<string, CompiledDriver>()
  for (const [type, shape] of Object.entries(shapes)) {
    const fits = compileAcceptOptions(shape.config)
    const accepts = (config: unknown) => fits(config) && inspected(shape, config as object).length === 0
    compiled.set(type, { shape, ...withObstacle(type, shape, accepts, obstacles) })
  }
  return compiled
}

/** Looks for a driver's packages when it is first used. A driver without any costs nothing. */
function withObstacle(
  type: string,
  { requires = [] }: DriverShape,
  accepts: (config: unknown) => boolean,
  obstacles: Obstacles,
): Omit<CompiledDriver, 'shape'> {
  if (requires.length === 0) return { accepts, takeObstacle: () => null }
  let obstacle: string | null | undefined
  const find = (): string | null => {
    obstacle = obstacle === undefined ? missingPackage(type, requires) : obstacle
    return obstacle
  }
  return {
    accepts: (config) => find() === null && accepts(config),
    takeObstacle() {
      const found = find()
      if (obstacles === 'told once') obstacle = null
      return found
    },
  }
}

/** Mistakes in `{ type, config }` of a check, a recovery or an endpoint. */
function driverMistakes(
  noun: string,
  drivers: ReadonlyMap<string, CompiledDriver>,
  value: unknown,
  path: Path,
): Mistake[] {
  if (typeof value !== 'object' || value === null) return []
  const { type, config } = value as { type?: unknown; config?: unknown }
  if (typeof type !== 'string') return []
  const driver = drivers.get(type)
  if (driver === undefined) return [unknownDriver(noun, type, [...drivers.keys()], path)]
  const at = [...path, 'config']
  const obstacle = driver.takeObstacle()
  const mistakes: Mistake[] = obstacle === null ? [] : [{ path: [...path, 'type'], message: `${obstacle}.` }]
  const options = (config ?? nothing) as object
  mistakes.push(...mistakesOf(driver.shape.config, options, at, { standsForOther: isReference }))
  if (mistakes.length > 0) return mistakes
  return inspected(driver.shape, options).map(({ path, message }) => ({ path: [...at, ...path], message }))
}

export function unknownDriver(noun: string, type: string, names: readonly string[], path: Path): Mistake {
  const allowed = `${names.join(', ')}.${didYouMean(type, names)}`
  return {
    path: [...path, 'type'],
    message: `there is no ${noun} of type ${show(type)}; allowed: ${allowed}`,
    reason: 'notAllowed',
    unshown: `must be one of ${allowed}`,
  }
}

function isReference(shape: Shape, value: unknown): boolean {
  return referenceIn(value) !== null && takesCredential(shape)
}

/** A driver's own rules can be checked only when the values of credentials are filled in (credential-values.ts). */
function inspected(shape: DriverShape, config: object): readonly Mistake[] {
  if (shape.inspect === undefined || openReferences(shape.config, config).length > 0) return []
  return shape.inspect(config)
}

/** The same validation for endpoints, which are in the head of a document. */
export function endpointMistakes(drivers: DriverShapes, value: unknown, path: Path): Mistake[] {
  return driverMistakes('notification', compileDrivers(drivers.notifiers, 'always told'), value, path)
}

/**
 * Stops at the limit, so that aliases to aliases, or to themselves, cost no more than a small document. Uses
 * its own stack, because the nesting of the value is not bounded yet.
 */
function sizeExceeds(value: unknown, limit: number): boolean {
  let size = 0
  const rest: unknown[] = [value]
  while (rest.length > 0) {
    const node = rest.pop()
    size += typeof node === 'string' ? node.length + 2 : 8
    if (size > limit) return true
    if (typeof node !== 'object' || node === null) continue
    for (const [key, inner] of Object.entries(node)) {
      size += key.length
      rest.push(inner)
    }
  }
  return false
}
