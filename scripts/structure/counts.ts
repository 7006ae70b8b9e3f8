// scripts/structure/counts.ts: what can be counted about how a checkout is built, from its syntax trees. The rooms in the
// middle of the server had other names once; the ones that a checkout has are the ones that are counted.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync, Visitor } from 'vite'
import { readSourceModules, type SourceModule } from '../check/source-modules.ts'

const serverFolder = 'packages/server/src/'
const middleRooms = [
  ['engine', 'checking', 'deciding', 'acting', 'self-watch', 'persistence'],
  ['controller', 'health', 'actions', 'schedule', 'queue', 'pool'],
]

/** Classes that turn the flow, and how each is made. */
const engineMakers = /\bnew (Engine|Controller)\(/g

export interface Counts {
  readonly middle_files: number
  /** Functions in the options of the middle's parts: calls that run against the arrows. */
  readonly middle_callbacks: number
  /** Of the class that turns the flow. */
  readonly engine_public_fields: number
  readonly places_that_make_an_engine: number
  /** Production files of one exported function that one other file imports. */
  readonly one_reader_files: number
  readonly non_null_assertions: number
  /** `...{ a, b },` and `...['a', 'b'],`, which say the same as `a, b,`. */
  readonly spread_tricks: number
  /** Imports of the testing package by a relative path, from outside of it. */
  readonly testing_by_path: number
}

interface Syntax {
  callbacks: number
  publicFields: Map<string, number>
  functions: number
  exports: number
  nonNull: number
  spreads: number
}

export function countStructure(root: string): Counts {
  const modules = readSourceModules(root).filter(({ path }) => !path.includes('/generated/'))
  const syntaxOf = new Map(modules.map(({ path }) => [path, readSyntax(path, join(root, path))]))
  const rooms = middleRooms.find(([first]) => existsSync(join(root, serverFolder, first ?? ''))) ?? []
  const isMiddle = ({ path }: SourceModule) =>
    rooms.some((room) => path.startsWith(`${serverFolder}${room}/`)) && isProduction(path)
  const middle = modules.filter(isMiddle)
  const sum = (of: (syntax: Syntax) => number, from: readonly SourceModule[] = modules) =>
    from.reduce((total, { path }) => total + of(syntaxOf.get(path) ?? emptySyntax()), 0)
  return {
    middle_files: middle.length,
    middle_callbacks: sum(({ callbacks }) => callbacks, middle),
    engine_public_fields: sum(
      ({ publicFields }) => publicFields.get('Engine') ?? publicFields.get('Controller') ?? 0,
      middle,
    ),
    places_that_make_an_engine: modules.reduce(
      (total, { code }) => total + [...code.matchAll(engineMakers)].length,
      0,
    ),
    one_reader_files: oneReaderFiles(modules, syntaxOf).length,
    non_null_assertions: sum(({ nonNull }) => nonNull),
    spread_tricks: sum(({ spreads }) => spreads),
    testing_by_path: modules
      .filter(({ path }) => !path.startsWith('packages/testing/'))
      .flatMap(({ imports }) => imports)
      .filter(({ specifier }) => /^\.+\/.*testing\/src\//.test(specifier)).length,
  }
}

function oneReaderFiles(
  modules: readonly SourceModule[],
  syntaxOf: ReadonlyMap<string, Syntax>,
): readonly string[] {
  const readers = new Map<string, Set<string>>()
  for (const { path, imports } of modules) {
    if (!isProduction(path)) continue
    for (const { file } of imports)
      if (file !== null) readers.set(file, (readers.get(file) ?? new Set()).add(path))
  }
  return modules.flatMap(({ path }) => {
    const { exports, functions } = syntaxOf.get(path) ?? emptySyntax()
    const isAlone = isProduction(path) && exports === 1 && functions === 1
    return isAlone && readers.get(path)?.size === 1 ? [path] : []
  })
}

function isProduction(path: string): boolean {
  const isSupport = /\.test\.tsx?$|\.fixture\.ts$|\/peers\.ts$/.test(path)
  return path.startsWith('packages/') && !path.startsWith('packages/testing/') && !isSupport
}

function emptySyntax(): Syntax {
  return { callbacks: 0, publicFields: new Map(), functions: 0, exports: 0, nonNull: 0, spreads: 0 }
}

function readSyntax(path: string, file: string): Syntax {
  const syntax = emptySyntax()
  const { program } = parseSync(path, readFileSync(file, 'utf8'))
  new Visitor({
    TSPropertySignature(node) {
      if (node.typeAnnotation?.typeAnnotation.type === 'TSFunctionType') syntax.callbacks++
    },
    ClassDeclaration(node) {
      const fields = node.body.body.filter(
        (member) =>
          member.type === 'PropertyDefinition' &&
          member.key.type !== 'PrivateIdentifier' &&
          member.accessibility !== 'private',
      )
      if (node.id) syntax.publicFields.set(node.id.name, fields.length)
    },
    ExportNamedDeclaration(node) {
      const { declaration } = node
      if (declaration === null || /^TS/.test(declaration.type)) return
      syntax.exports++
      if (declaration.type === 'FunctionDeclaration') syntax.functions++
    },
    TSNonNullExpression() {
      syntax.nonNull++
    },
    ObjectExpression({ properties }) {
      for (const one of properties)
        if (one.type === 'SpreadElement' && one.argument.type === 'ObjectExpression') syntax.spreads++
    },
    ArrayExpression({ elements }) {
      for (const one of elements)
        if (one?.type === 'SpreadElement' && one.argument.type === 'ArrayExpression') syntax.spreads++
    },
  }).visit(program)
  return syntax
}
