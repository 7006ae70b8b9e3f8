// config/fleet-file/monitor-validator.ts: decides whether one monitor is right. A right one passes through
// compiled validators in a microsecond; a wrong one is walked slowly and every mistake explained.
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
  /** Why the driver cannot be used here. */
  takeObstacle(): string | null
}

type Obstacles = 'told once' | 'always told'

const nothing: object = {}
/** A monitor with everything in it may have 1 MiB. */
const largestMonitor = 1 << 20

export class MonitorValidator {
  readonly #accepts = compileAccept(MonitorSchema)
  readonly #checks: Map<string, CompiledDriver>
  readonly #recoveries: Map<string, CompiledDriver>

  /**
   * Why a driver cannot be used is told of its first use alone: a file may have a million of them. takesExternal: also
   * what job types become, which no file can name.
   */
  constructor(drivers: DriverShapes, obstacles: Obstacles = 'told once', takesExternal = false) {
    const more = takesExternal ? externalDrivers : {}
    this.#checks = compileDrivers({ ...drivers.checks, ...more }, obstacles)
    this.#recoveries = compileDrivers({ ...drivers.recoveries, ...more }, obstacles)
  }

  /**
   * Null when the value is a right monitor, otherwise everything that is wrong with it. A value is measured
   * unless the text that it was read from is known to be within the limit.
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

/** Looks for the packages of a driver when it is used for the first time; a driver without any pays nothing. */
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

/** The rules of a driver can be asked only when the values of credentials are in place (credential-values.ts). */
function inspected(shape: DriverShape, config: object): readonly Mistake[] {
  if (shape.inspect === undefined || openReferences(shape.config, config).length > 0) return []
  return shape.inspect(config)
}

/** The same validation for endpoints, which stand in the head of a document. */
export function endpointMistakes(drivers: DriverShapes, value: unknown, path: Path): Mistake[] {
  return driverMistakes('notification', compileDrivers(drivers.notifiers, 'always told'), value, path)
}

/**
 * Walks no further than the limit, so that aliases to aliases, or to themselves, cost no more than a small
 * document. With a stack of its own: nesting has no bound before this says that there is one.
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
